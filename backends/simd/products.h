// Dot and convolution, by the matrix product of gemm.h.
#pragma once

#include <cstdint>
#include <optional>

#include "backends/simd/kernels.h"
#include "interpreter/types/literal.h"

namespace assay::simd {

extern const Family kDot, kConvolution;

// Products of `batch` matrices of m rows and k columns with matrices of k rows and n columns.
struct MatrixProduct {
  std::int64_t batch, m, n, k;
};

// Returns the sizes of a dot of fixed shapes, with a result, whose operands are such matrices as they are. nullopt for
// another instruction, and if an operand must be converted or permuted first.
std::optional<MatrixProduct> DenseProduct(const HloInstruction& instruction);

// Returns the kernel of a dot of fixed shapes over whole arrays, with the bits of kDot. Empty if DenseProduct has
// no sizes.
Kernel DotKernel(const HloInstruction& dot);

// Returns the type in which the product is computed: f32 for it and narrower types, f64, or s32 for integers of up to
// 32 bits, which wrap. nullopt if the evaluator must compute it.
std::optional<PrimitiveType> ProductType(const HloInstruction& instruction);

// Converts the elements. An array that already has the type shares its elements.
Literal Converted(const Literal& array, PrimitiveType type);

}  // namespace assay::simd
