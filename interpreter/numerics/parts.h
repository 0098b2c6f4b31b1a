// The real and imaginary parts of arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "interpreter/types/literal.h"

namespace assay {

// Elements of a floating or complex array, real and imaginary parts in turn.
std::vector<double> LoadParts(const Literal& array);
// Writes the bits of one part, counted as LoadParts does, of an array of that type.
void StorePart(PrimitiveType type, std::byte* array, std::int64_t part, std::uint64_t bits);

}  // namespace assay
