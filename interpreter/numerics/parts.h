// The real and imaginary parts of arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "interpreter/types/literal.h"

namespace assay {

// Returns the elements of a floating or complex array; real and imaginary parts alternate.
std::vector<double> LoadParts(const Literal& array);
// Writes the bits of one part, in the numbering of LoadParts, to an array of that type.
void StorePart(PrimitiveType type, std::byte* array, std::int64_t part, std::uint64_t bits);

}  // namespace assay
