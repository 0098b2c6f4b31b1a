// Products of matrices of bytes by an instruction that adds four products to each s32 (AVX-512 VNNI).
#pragma once

#include <cstdint>

namespace assay::simd {

// True if this machine has the instruction.
bool HasByteProducts();

// Computes out[i, j] = sum over l of lhs[i, l] * rhs[l, j], wrapping in s32, for m rows, n columns and k terms. The
// matrices are row-major, of std::int8_t or std::uint8_t each. The machine must have the instruction.
template <class L, class R>
void MultiplyBytes(const L* lhs, const R* rhs, std::int64_t m, std::int64_t n, std::int64_t k, std::int32_t* out);

}  // namespace assay::simd
