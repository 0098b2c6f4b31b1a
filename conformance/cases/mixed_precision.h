// Modules with mixed precision, which XLA's verifier accepts if its option allow_mixed_precision is set: operands of
// one instruction, or its result, have other floating types than the rule of the op.
#pragma once

#include <cstdint>

#include "interpreter/hlo/module.h"

namespace assay {

// Converts the operands of such an instruction to the widest of their floating types, or to the type of its reducer,
// and its result from the type that the op gives to the declared one, as XLA's float normalization does. Instructions
// that are legal as they are stay. Returns the number of conversions.
std::int64_t ConvertMixedPrecision(HloModule& module);

}  // namespace assay
