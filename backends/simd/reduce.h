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

// A fold of windows along one dimension: out[p * columns + j] becomes its fold with in[p * step + i * width + j] for
// each i below n, for p below `positions` and j below `columns`.
struct WindowRuns {
  std::int64_t n, width, columns, positions, step;
};
using FoldWindowsFunction = void (*)(const void* in, const WindowRuns& runs, void* out);

// A fold of windows of `size` elements that slide by one element along a dimension of n elements: out[p * width + j]
// becomes the fold of `start` and in[i * width + j] for each i of [p - padding, p - padding + size) that is in [0, n),
// for p below `positions` and j below `columns`. Takes the same time for any size.
struct LongWindows {
  std::int64_t n, width, columns, positions, size, padding;
};
using FoldLongWindowsFunction = void (*)(const void* in, const LongWindows& windows, const void* start, void* out);

// Return the fold of windows by a computation op(parameter 0, parameter 1), or with the parameters exchanged, on
// scalars of the type; null if there is none for the op.
FoldWindowsFunction WindowsFold(const HloComputation& computation, PrimitiveType type);
FoldLongWindowsFunction LongWindowsFold(const HloComputation& computation, PrimitiveType type);

}  // namespace assay::simd
