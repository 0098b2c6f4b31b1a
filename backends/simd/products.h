// dot and convolution, by the product of matrices of gemm.h.
#pragma once

#include <cstdint>
#include <optional>

#include "backends/simd/kernels.h"
#include "interpreter/types/literal.h"

namespace assay::simd {

extern const Family kDot, kConvolution;

// The type in which a product with this result and these operands is computed: f32 for it and narrower types, f64, or
// s32 for integers of up to 32 bits, which wrap. Nothing where the evaluator has to do it.
std::optional<PrimitiveType> ProductType(const HloInstruction& instruction);

// The elements converted, a type to itself by reference.
Literal Converted(const Literal& array, PrimitiveType type);

}  // namespace assay::simd
