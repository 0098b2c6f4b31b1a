// What the ops on batches of matrices share: the two minor dimensions are the rows and columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

// Operand i is an array of square matrices of floating or complex elements.
Status CheckSquareMatrices(const HloInstruction& instruction, std::int64_t i);

// Elements of a floating or complex array, real and imaginary parts in turn.
std::vector<double> LoadParts(const Literal& array);
// Writes the bits of one part, counted as LoadParts does, of an array of that type.
void StorePart(PrimitiveType type, std::byte* array, std::int64_t part, std::uint64_t bits);

}  // namespace assay
