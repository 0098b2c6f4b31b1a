// Error bounds of the batch-norm ops from the magnitudes of their operands, for ErrorBoundFunction:
// docs/derivations.md#the-bounds-of-batch-normalization
#pragma once

#include <span>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

Literal BatchNormInferenceBound(const HloInstruction& instruction, std::span<const Literal> operands);
Literal BatchNormTrainingBound(const HloInstruction& instruction, std::span<const Literal> operands);
Literal BatchNormGradBound(const HloInstruction& instruction, std::span<const Literal> operands);

}  // namespace assay
