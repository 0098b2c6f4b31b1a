// The steps of collectives on whole arrays: sums along one axis, copies of runs of elements.
#pragma once

#include "interpreter/ops/common/collectives.h"

namespace assay {

extern const CollectiveSteps kFastSteps;

}  // namespace assay
