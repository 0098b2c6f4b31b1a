// A map whose instructions have noise.
#pragma once

#include "interpreter/hlo/overrides.h"

namespace assay {

// Returns a body of map that calls the computation for each element, so that each of its instructions gets its own
// noise. Other bodies run the computation over whole vectors, which EvaluationOptions::disturb does not reach.
OpOverrides MapByCalls();

}  // namespace assay
