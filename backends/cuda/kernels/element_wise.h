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

// Of an element-wise one: whether its results are rounded once from exact operands, not computed by a function that is
// as exact as CUDA states.
bool IsRoundedOnce(const HloInstruction& instruction);

// Whether its result takes long enough that computing it twice is worse than keeping it.
bool IsExpensive(const HloInstruction& instruction);

// An element of another type, and what is computed with as an element.
std::string ConvertedText(PrimitiveType from, PrimitiveType to, const std::string& element);
std::string RoundedText(PrimitiveType type, const std::string& computed);

// The element of the result, from the names of the elements of the operands.
std::string ElementWiseText(const HloInstruction& instruction, std::span<const std::string> operands);
// What a function of floats gives in f64, before it is rounded.
std::string WideText(const HloInstruction& function, std::span<const std::string> operands);

}  // namespace assay::cuda
