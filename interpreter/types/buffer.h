// Arrays as bytes in memory: every element where the layout puts it (seed 003).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "interpreter/types/literal.h"
#include "interpreter/types/shape.h"

namespace assay {

// The elements of `literal` in the layout of `shape`, which must have the literal's element type and dimensions. Cells
// of padding hold the layout's padding value (zero bits where it leaves the value open). An element takes
// StorageBytes, or the layout's element_size_in_bits, packed from the low bits of each byte up. Little-endian.
Result<std::vector<std::byte>> ToBuffer(const Literal& literal, const Shape& shape);

// The inverse: a literal of shape `shape`.
Result<Literal> FromBuffer(std::span<const std::byte> buffer, const Shape& shape);

}  // namespace assay
