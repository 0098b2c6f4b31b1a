// Evaluation of instructions on arrays with run-time sizes below their bounds.
#pragma once

#include <span>

#include "interpreter/hlo/op.h"

namespace assay {

// True if a dimension of an operand is below its bound.
bool HasRunTimeSizes(std::span<const Literal> operands);

// Evaluates the instruction as if it were written for the run-time sizes of its operands, so padding does not take part
// (XLA, Operation Semantics: SetDimensionSize). The result has the instruction's shape as its bound, and zeros beyond
// its own run-time sizes. Throws EvaluationError if no such instruction exists. `op` is the record whose body runs.
Literal EvaluateAtRunTimeSizes(const Op& op, const HloInstruction& instruction, std::span<Literal> operands,
                               Evaluation& evaluation);

// Returns a value as the host receives it: every array is dense, with its run-time sizes.
Literal ToHost(Literal value);
// Pads an argument of the entry to the bounds of the parameter's shape: the inverse of ToHost. Returns false if the
// argument has none of the possible run-time shapes of the parameter.
bool FitArgument(const Shape& parameter, Literal& argument);

// Sets the run-time sizes of an element-wise result: in each dimension the smallest of the operands'.
void SetElementwiseSizes(std::span<const Literal> operands, Literal& result);

}  // namespace assay
