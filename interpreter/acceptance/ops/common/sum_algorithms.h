// The `algorithm` of a dot or convolution. It allows operands rounded to a narrower type or split into several numbers
// of that type, and products added in the accumulator that it names.
#pragma once

#include <optional>

#include "interpreter/acceptance/ops/op_acceptance.h"

namespace assay {

// Returns the sum algorithm that the attribute of an instruction allows; nullopt if it has no such attribute.
std::optional<SumAlgorithm> SumAlgorithmOf(const HloInstruction& product);

}  // namespace assay
