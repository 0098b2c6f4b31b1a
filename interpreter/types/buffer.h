// Conversion of arrays to and from bytes in memory, each element at the offset that its layout defines (XLA, Shapes and
// Layout).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "interpreter/types/literal.h"
#include "interpreter/types/shape.h"

namespace assay {

// Returns the bytes of an array in memory, including padding.
std::int64_t BufferBytes(const Shape& shape);

// Returns the elements of `literal` in the layout of `shape`, little-endian. `shape` must have the literal's element
// type and dimensions. Padding cells hold the layout's padding value, or zero bits if the layout leaves the value open.
// An element takes StorageBytes, or the layout's element_size_in_bits, packed from the low bits of each byte up.
Result<std::vector<std::byte>> ToBuffer(const Literal& literal, const Shape& shape);

// Returns the literal of shape `shape` whose ToBuffer is `buffer`.
Result<Literal> FromBuffer(std::span<const std::byte> buffer, const Shape& shape);

}  // namespace assay
