// While loops over scalars, without the evaluator's bookkeeping.
#pragma once

#include "backends/simd/kernels.h"

namespace assay::simd {

extern const Family kLoops;

}  // namespace assay::simd
