// How far the results of the batch-norm ops may be off, from the magnitudes of what goes in: docs/verdicts.md has the
// derivation. For Op::error_bound.
#pragma once

#include <span>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

Literal BatchNormInferenceBound(const HloInstruction& instruction, std::span<const Literal> operands);
Literal BatchNormTrainingBound(const HloInstruction& instruction, std::span<const Literal> operands);
Literal BatchNormGradBound(const HloInstruction& instruction, std::span<const Literal> operands);

}  // namespace assay
