// Instructions on arrays whose dimensions are, at run time, smaller than their bounds.
#pragma once

#include <span>

#include "interpreter/hlo/op.h"

namespace assay {

// Whether a dimension of an operand is below its bound.
bool HasRunTimeSizes(std::span<const Literal> operands);

// What the instruction gives as if it had been written for the run-time sizes of its operands, so that no element past
// them takes part (the specification of SetDimensionSize: padding is ignored). The result has the instruction's shape
// as its bound, zeros past its own run-time sizes. Throws EvaluationError where no such instruction exists. `op` is the
// record whose body runs.
Literal EvaluateAtRunTimeSizes(const Op& op, const HloInstruction& instruction, std::span<Literal> operands,
                               Evaluation& evaluation);

// What a device hands to its host: every array a dense one of its run-time sizes.
Literal ToHost(Literal value);
// The inverse, for an argument of the entry: the parameter's shape gives the bounds. False where the argument has none
// of the shapes that the parameter's can have at run time.
bool FitArgument(const Shape& parameter, Literal& argument);

// The run-time sizes of an element-wise result: in each dimension the smallest of the operands'.
void SetElementwiseSizes(std::span<const Literal> operands, Literal& result);

}  // namespace assay
