// The `algorithm` of a dot or convolution allows operands rounded to a narrower type or split into several numbers of
// one, and products added in the accumulator that it names.
#pragma once

#include <optional>

#include "interpreter/acceptance/ops/op_acceptance.h"

namespace assay {

// Returns how the attribute lets an instruction compute its sums; nothing where the instruction has no such attribute.
std::optional<SumAlgorithm> SumAlgorithmOf(const HloInstruction& product);

}  // namespace assay
