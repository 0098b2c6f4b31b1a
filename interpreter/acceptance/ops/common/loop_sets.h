// Propagates sets through loops.
#pragma once

#include <span>

#include "interpreter/acceptance/ops/op_acceptance.h"

namespace assay {

// Propagates sets through a `while`, for OpAcceptance::walk.
ValueSet WalkLoop(const HloInstruction& loop, std::span<const ValueSet> operands, SetEvaluation& evaluation);

}  // namespace assay
