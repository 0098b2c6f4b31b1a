// Products of matrices of integers of up to 16 bits, by instructions that add several products to each s32: two of s16
// on every machine, four of u8 and s8 on one that has AVX-512 VNNI.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/simd/gemm.h"
#include "interpreter/types/primitive_type.h"

namespace assay::simd {

// True for the types of MultiplyNarrow.
constexpr bool IsNarrow(PrimitiveType type) { return IsIntegralType(type) && (BitWidth(type) <= 8 || type == S16); }

// Calls `f` with a number of the type in which a literal keeps a narrow type: s16, s8 or u8.
template <class F>
auto WithStoredType(PrimitiveType type, F f) {
  if (type == S16) return f(std::int16_t{});
  return IsSignedIntegralType(type) ? f(std::int8_t{}) : f(std::uint8_t{});
}

// Computes out[i, j] = sum over l of lhs[i, l] * rhs[l, j], wrapping in s32, for m rows, n columns and k terms. The
// rows of `rhs`, which has the narrow type `type`, begin `rhs_stride` elements apart, those of `out` `out_stride`.
template <class L>
void MultiplyNarrow(const Rows<L>& lhs, PrimitiveType type, const std::byte* rhs, std::int64_t rhs_stride,
                    std::int64_t m, std::int64_t n, std::int64_t k, std::int32_t* out, std::int64_t out_stride);

}  // namespace assay::simd
