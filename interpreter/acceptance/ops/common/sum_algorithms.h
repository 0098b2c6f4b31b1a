// What the `algorithm` of a dot or convolution allows: operands rounded to a narrower type or split into several
// numbers of one, products added in the accumulator that it names.
#pragma once

#include <optional>

#include "interpreter/acceptance/ops/op_acceptance.h"

namespace assay {

// What the attribute says of the sums of an instruction that has it.
std::optional<SumAlgorithm> SumAlgorithmOf(const HloInstruction& product);

}  // namespace assay
