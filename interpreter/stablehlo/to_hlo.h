// StableHLO programs as HLO modules.
#pragma once

#include <memory>
#include <string_view>

#include "interpreter/hlo/module.h"
#include "interpreter/stablehlo/operation.h"
#include "interpreter/types/result.h"

namespace assay::stablehlo {

// Returns the module that XLA's conversion makes of the program, without XLA's constant folding: each operation becomes
// equivalent instructions, and regions become computations. The entry is `function`, or EntryName if that is empty;
// unreachable functions are omitted. Errors are kIllegal for a program that breaks a rule of the dialect, and
// kUnsupported for one that HLO cannot express. The module has not been verified.
Result<std::unique_ptr<HloModule>> ToHlo(const Program& program, std::string_view function = {});

}  // namespace assay::stablehlo
