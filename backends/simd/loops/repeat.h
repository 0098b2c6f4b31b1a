// A scalar repeated, in the whole vectors that the steps of a loop read.
#pragma once

#include "backends/simd/kernels.h"

namespace assay::simd {

// Returns the loop that repeats its operand n times, for elements of 1, 2, 4 or 8 bytes; null for others. A vector that
// smaller stores have written would delay the step that reads it.
Loop RepeatLoop(int bytes);

}  // namespace assay::simd
