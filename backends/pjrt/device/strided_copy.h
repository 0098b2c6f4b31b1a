// Copies of arrays between places with different orders of elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "interpreter/types/shape.h"

namespace assay::pjrt {

// Returns the strides, in bytes, of an array whose elements have the order of minor_to_major without gaps.
Dimensions ByteStrides(const Dimensions& sizes, std::int64_t element_bytes,
                       std::span<const std::int64_t> minor_to_major);
// Returns those of the order from the last dimension to the first.
Dimensions RowMajorByteStrides(const Dimensions& sizes, std::int64_t element_bytes);

// Copies an array of these sizes. Strides are in bytes; those of the source may be zero or negative.
void CopyStrided(const Dimensions& sizes, std::int64_t element_bytes, const std::byte* from,
                 std::span<const std::int64_t> from_strides, std::byte* to, std::span<const std::int64_t> to_strides);

}  // namespace assay::pjrt
