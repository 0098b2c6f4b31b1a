// The arithmetic of a dot or convolution. Its `algorithm` allows operands rounded to a narrower type or split into
// several numbers of that type, and products added in the accumulator that it names.
#pragma once

#include <optional>

#include "interpreter/acceptance/ops/op_acceptance.h"

namespace assay {

// Returns the sum algorithm that the attribute of an instruction allows; nullopt if it has no such attribute.
std::optional<SumAlgorithm> SumAlgorithmOf(const HloInstruction& product);
// Returns the type of the operand with the most bits of significand; PRIMITIVE_TYPE_INVALID for integers.
PrimitiveType WidestOperand(const HloInstruction& product);
// Returns the highest operand_precision of an instruction; empty if its op has none.
std::string_view PrecisionLevelOf(const HloInstruction& product);

}  // namespace assay
