// An instruction evaluated on other numbers than its operands: what bounds and explanations are made of.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

// In f64, on map(x) for every real number x among the operands; of a complex one on map of its real part plus map of
// its imaginary part. Nothing if that cannot be evaluated.
std::optional<Literal> EvaluateInF64(const HloInstruction& instruction, std::span<const Literal> operands,
                                     double (*map)(double));

// The instruction on the same operands with all floats in f64 and all complex numbers in c128: the exact value to 53
// bits where the instruction's own type has fewer. Nothing if that cannot be evaluated.
std::optional<Literal> EvaluateWidened(const HloInstruction& instruction, std::span<const Literal> operands);

// Element `offset` of the result of an element-wise instruction, exact to 53 bits, in decimal; empty where its type has
// as many bits, or it is no real number, or cannot be evaluated.
std::string ExactElement(const HloInstruction& instruction, std::span<const Literal> operands, std::int64_t offset);

}  // namespace assay
