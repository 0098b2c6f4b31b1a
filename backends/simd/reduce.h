// Reduce by one op of f32, f64, s32, u32 or pred, along any dimensions.
#pragma once

#include "backends/simd/kernels.h"

namespace assay::simd {

extern const Family kReduce;

}  // namespace assay::simd
