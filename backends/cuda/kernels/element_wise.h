// The expressions of the element-wise ops.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/hlo/op.h"

namespace assay::cuda {

// Returns the ops with an expression, sorted.
const std::vector<std::string_view>& ElementWiseOps();

// True if the instruction is element-wise with an expression for its types.
bool IsElementWise(const HloInstruction& instruction);

// True if the results of an element-wise instruction are exact and rounded once; false if it is a function with the
// error that CUDA states.
bool IsRoundedOnce(const HloInstruction& instruction);

// True if recomputing the result costs more than keeping it.
bool IsExpensive(const HloInstruction& instruction);

// ConvertedText returns an element converted to another type. RoundedText returns a computed number rounded to an
// element.
std::string ConvertedText(PrimitiveType from, PrimitiveType to, const std::string& element);
std::string RoundedText(PrimitiveType type, const std::string& computed);

// Returns the element of the result, from the names of the operands' elements.
std::string ElementWiseText(const HloInstruction& instruction, std::span<const std::string> operands);
// Returns the result of a function of floats in f64, before rounding.
std::string WideText(const HloInstruction& function, std::span<const std::string> operands);

}  // namespace assay::cuda
