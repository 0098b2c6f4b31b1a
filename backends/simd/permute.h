// Permutation of an array's dimensions.
#pragma once

#include <span>

#include "backends/simd/kernels.h"
#include "interpreter/types/literal.h"

namespace assay::simd {

// Returns the array with dimension order[i] as dimension i. Moves blocks that fit into the cache.
Literal Permuted(const Literal& array, std::span<const std::int64_t> order);

extern const Family kTranspose;

}  // namespace assay::simd
