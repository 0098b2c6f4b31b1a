// While loops over small arrays, without the evaluator's bookkeeping.
#pragma once

#include "backends/simd/kernels.h"

namespace assay::simd {

extern const Family kLoops;

}  // namespace assay::simd
