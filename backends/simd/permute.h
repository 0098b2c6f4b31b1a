// The elements of an array in another order of its dimensions.
#pragma once

#include <span>

#include "backends/simd/kernels.h"
#include "interpreter/types/literal.h"

namespace assay::simd {

// Dimension i of the result is dimension order[i] of the array. Moves blocks that fit into the cache.
Literal Permuted(const Literal& array, std::span<const std::int64_t> order);

extern const Family kTranspose;

}  // namespace assay::simd
