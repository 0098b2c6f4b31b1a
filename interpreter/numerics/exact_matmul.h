// Batched matrix products: every element is the exact sum of products, rounded once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "interpreter/types/primitive_type.h"

namespace assay {

// Computes out[b, i, j] = sum over l of lhs[b, i, l] * rhs[b, l, j], for dimensions [batch, m, k] and [batch, k, n],
// rounded to a real floating type. All arrays are row-major; the operands are values of any floating types, not
// necessarily the same. An empty sum is +0; docs/sums.md defines the results for special values and other zeros.
//
// The time is near that of the fastest loop for every m, n and k, including small and thin matrices.
void MatmulExact(PrimitiveType type, const double* lhs, const double* rhs, std::int64_t batch, std::int64_t m,
                 std::int64_t n, std::int64_t k, std::byte* out);

// The same for complex operands, each number a real and an imaginary double, and a complex type. The real part of an
// element is the exact sum of 2k products, of real parts and of negated imaginary parts; the imaginary part likewise.
// C99 Annex G's rules for infinite operands do not apply: their products with zeros are NaN.
void MatmulComplexExact(PrimitiveType type, const double* lhs, const double* rhs, std::int64_t batch, std::int64_t m,
                        std::int64_t n, std::int64_t k, std::byte* out);

// The same for integers of type T, std::uint32_t or std::uint64_t, modulo 2^32 or 2^64. Truncated to a narrower width,
// this is the product for integers of that width and either signedness.
template <class T>
void MatmulInteger(const T* lhs, const T* rhs, std::int64_t batch, std::int64_t m, std::int64_t n, std::int64_t k,
                   T* out);

}  // namespace assay
