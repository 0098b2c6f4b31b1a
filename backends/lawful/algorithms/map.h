// A map whose steps have noise.
#pragma once

#include "interpreter/kernels/overrides.h"

namespace assay {

// Returns a body of map that calls the computation for each element, so that each instruction of it has noise of its
// own. Other bodies run the steps over whole vectors, which EvaluationOptions::disturb skips.
OpOverrides MapByCalls();

}  // namespace assay
