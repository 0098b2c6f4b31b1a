// A map whose steps have noise.
#pragma once

#include "interpreter/hlo/op.h"

namespace assay {

// The record of a map that calls its computation for each element, so that each instruction of it has noise of its own.
// The steps of other bodies of a map, and of folds, run over whole vectors, which EvaluationOptions::disturb skips.
extern const Op op_noisy_map;

}  // namespace assay
