// Scatter whose combiner is one element-wise instruction.
#pragma once

#include "backends/simd/kernels.h"

namespace assay::simd {

extern const Family kScatter;

}  // namespace assay::simd
