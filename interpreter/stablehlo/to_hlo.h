// StableHLO programs as HLO modules.
#pragma once

#include <memory>

#include "interpreter/hlo/module.h"
#include "interpreter/stablehlo/operation.h"
#include "interpreter/types/result.h"

namespace assay::stablehlo {

// Returns the module that XLA's conversion makes of the program, without XLA's constant folding: each operation becomes
// equivalent instructions, and regions become computations. Function `main` is the entry; unreachable functions are
// omitted. Errors are kIllegal for a program that breaks a rule of the dialect, and kUnsupported for one that HLO
// cannot express. The module has not been verified.
Result<std::unique_ptr<HloModule>> ToHlo(const Program& program);

}  // namespace assay::stablehlo
