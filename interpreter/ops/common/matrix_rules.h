// Rules of the ops on batches of matrices: the two minor dimensions are the rows and columns.
#pragma once

#include <cstdint>

#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"

namespace assay {

// Checks that operand i is an array of square matrices of floating or complex elements.
Status CheckSquareMatrices(const HloInstruction& instruction, std::int64_t i);

}  // namespace assay
