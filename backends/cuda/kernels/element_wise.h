// Which expression each element-wise op is.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/hlo/op.h"

namespace assay::cuda {

// The ops of the table, sorted.
const std::vector<std::string_view>& ElementWiseOps();

// Whether the instruction is element-wise with an expression for its types.
bool IsElementWise(const HloInstruction& instruction);

// Whether its result takes long enough that computing it twice is worse than keeping it.
bool IsExpensive(const HloInstruction& instruction);

// The element of the result, from the names of the elements of the operands.
std::string ElementWiseText(const HloInstruction& instruction, std::span<const std::string> operands);

}  // namespace assay::cuda
