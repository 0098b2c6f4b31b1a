// HLO modules as StableHLO programs: the inverse of to_hlo.h.
#pragma once

#include "interpreter/hlo/module.h"
#include "interpreter/stablehlo/operation.h"
#include "interpreter/types/result.h"

namespace assay::stablehlo {

// Translates a verified module. Tuples disappear: an instruction becomes one value for each leaf of its shape. `main`
// has an argument for each leaf of a parameter, and a result for each leaf of the root except tokens. Layouts,
// shardings and metadata are dropped. Ops that StableHLO lacks become operations of CHLO. Fails with kUnsupported, at
// the instruction, for an op or a type that neither dialect has.
Result<Program> FromHlo(const HloModule& module);

}  // namespace assay::stablehlo
