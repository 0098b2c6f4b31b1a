// Run-time sizes of dynamic dimensions: their storage in values, and their agreement among an instruction's operands.
#pragma once

#include <cstdint>
#include <span>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

class Evaluation;

// Returns the same elements with another shape of the same element count and storage size, tuples element by element.
// Keeps the run-time sizes of the dimensions that remain.
Literal WithShapeKeepingSizes(Literal value, const Shape& shape);

// True if both shapes name the elements of a buffer alike: bitcast then changes nothing.
bool KeepsBuffer(const Shape& from, const Shape& to);

// For ops that return operand 0: infer its shape, and return its value with the instruction's shape.
Result<Shape> InferOperand(const HloInstruction& instruction);
Literal EvaluateOperand(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&);

// Returns the dimension whose run-time size get-dimension-size or set-dimension-size reads or writes: a dimension of
// operand 0, an array, whose bound fits s32. The error names the broken rule.
Result<std::int64_t> FindSizedDimension(const HloInstruction& instruction);

// For Op::fit_run_time_sizes, on operands whose shapes are their run-time sizes: shrinks the larger of two sizes that
// must be equal, because elements past a run-time size are ignored.
void Equalize(HloInstruction& instruction, std::int64_t i, std::int64_t dimension, std::int64_t other_i,
              std::int64_t other_dimension);
// Equalizes the dimensions of operands begin to end - 1.
void EqualizeOperands(HloInstruction& instruction, std::size_t begin, std::size_t end);
// Limits the size of a dimension of operand i.
void ShrinkTo(HloInstruction& instruction, std::int64_t i, std::int64_t dimension, std::int64_t size);

}  // namespace assay
