// Arithmetic on single elements, for which a vector and a kernel's call cost more than the operation.
#pragma once

#include "backends/simd/kernels.h"

namespace assay::simd {

// Returns the loop that computes one element of an element-wise instruction; null if there is none.
Loop ScalarLoop(const HloInstruction& instruction);

}  // namespace assay::simd
