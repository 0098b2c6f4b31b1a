// Sums of the leading elements along one axis of an array: exact, then rounded once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "interpreter/types/primitive_type.h"

namespace assay {

// Computes out[o, k, i] = inits[o, i] + terms[o, 0, i] + ... + terms[o, k, i]; in reverse, terms[o, k, i] + ... +
// terms[o, n - 1, i]. Each sum is rounded by itself, as SumAxis does. All arrays are row-major; a complex array is a
// real one of the component type with twice the inner dimension.
void CumulativeSums(PrimitiveType type, const std::byte* terms, std::int64_t outer, std::int64_t n, std::int64_t inner,
                    const std::byte* inits, bool is_reverse, std::byte* out);

}  // namespace assay
