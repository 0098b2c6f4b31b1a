// Products of dequantized integers, computed as products of the integers themselves.
#pragma once

#include "backends/simd/kernels.h"
#include "interpreter/hlo/module.h"

namespace assay::simd {

// Moves each dot and convolution of two operands (integer - zero_point) * scale in f32, whose zero points and scales
// are constants, with copies of what computes these operands into a fusion. The module computes the same values. Leaves
// products whose sums of integers may not be in the bound of the sum that they are (docs/performance.md).
void FuseDequantizedProducts(HloModule& module);

// True if such a fusion has called the computation, or one of the same form.
bool IsDequantizedProduct(const HloComputation& computation);

// Returns the function of such a fusion: the product of the integers in s32, times the product of the scales, rounded
// once. It calls the computation for integers whose results may be outside of the bound. Empty for other fusions.
PreparedFunction PrepareDequantizedProduct(const HloInstruction& fusion);

}  // namespace assay::simd
