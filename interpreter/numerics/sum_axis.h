// Sums along one axis of an array: exact, then rounded once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "interpreter/types/primitive_type.h"

namespace assay {

// Computes out[o, i] = init + sum over k of terms[o, k, i], for terms of dimensions [outer, n, inner] and a real
// floating type. All arrays are row-major with one element every StorageBytes(type) bytes. The initial value of the
// q-th result, q = o * inner + i, is inits[q % init_count]: one for all, or one for each.
//
// A complex array is a real one of the component type with twice the inner dimension, and two (or twice as many)
// initial values. docs/sums.md defines the results for special values and zeros.
void SumAxis(PrimitiveType type, const std::byte* terms, std::int64_t outer, std::int64_t n, std::int64_t inner,
             const std::byte* inits, std::int64_t init_count, std::byte* out);

}  // namespace assay
