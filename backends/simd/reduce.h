// Reduce by one op of f32, f64, s32, u32 or pred, along any dimensions.
#pragma once

#include "backends/simd/kernels.h"

namespace assay::simd {

extern const Family kReduce;

// Returns the kernel of a reduce of one array of fixed shape over the whole array, with the bits of kReduce. Empty for
// another instruction, and if the array must be permuted first.
Kernel ReduceKernel(const HloInstruction& reduce);

// Returns a kernel that folds the last dimensions of each of n rows of a reduce's array, with the bits of kReduce. Its
// operands are the rows and the start. Empty for another instruction, and if a row is empty or long enough to be split.
Kernel RowKernel(const HloInstruction& reduce);

}  // namespace assay::simd
