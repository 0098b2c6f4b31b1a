// Element-wise arithmetic where the evaluator's loops are not at the speed of memory: types that it computes in wider
// ones (bf16, f16, integers but s32, s64 and u64), and what the compiler finds no vectors for. The bits are the same.
#pragma once

#include "backends/simd/kernels.h"

namespace assay::simd {

extern const Family kArithmetic;
// Conversions between f32 and narrower floats, from small integers, and between f32 and s32.
extern const Family kConversions;

}  // namespace assay::simd
