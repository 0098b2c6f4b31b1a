// Run-time sizes of dynamic dimensions: how values carry them, and how the operands of an instruction come to agree.
#pragma once

#include <cstdint>
#include <span>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

class Evaluation;

// The same elements under another shape of the same element count and storage size, tuples element by element. Run-time
// sizes stay where the dimensions do.
Literal WithShapeKeepingSizes(Literal value, const Shape& shape);

// Bytes of an array in memory, padding included.
std::int64_t BufferBytes(const Shape& shape);
// True if a shape names the elements of a buffer as another one does: bitcast changes nothing then.
bool KeepsBuffer(const Shape& from, const Shape& to);

// For ops whose result is their operand 0: its shape, and its value under the instruction's shape.
Result<Shape> InferOperand(const HloInstruction& instruction);
Literal EvaluateOperand(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&);

// True if a dimension of an array is below its bound at run time.
bool IsBelowItsBound(const Literal& array);
// The static shape of an array's run-time sizes.
Shape RunTimeShape(const Literal& array);
// The elements whose indices lie inside a static shape that is no larger in any dimension.
Literal LeadingElements(const Literal& array, const Shape& shape);
// The inverse: an array as the run-time part of one of the bound's shape, the rest zero.
Literal WithBound(const Literal& array, const Shape& bound);

// The one dimension whose run-time size get-dimension-size and set-dimension-size are about: a dimension of operand 0,
// an array, whose bound fits s32. An error names the rule that is broken.
Result<std::int64_t> FindSizedDimension(const HloInstruction& instruction);

// For Op::fit_run_time_sizes, on operands whose shapes are their run-time sizes: two sizes that the op needs equal
// become the smaller one, for elements past a run-time size take no part.
void Equalize(HloInstruction& instruction, std::int64_t i, std::int64_t dimension, std::int64_t other_i,
              std::int64_t other_dimension);
// Operands begin to end - 1 have one set of dimensions.
void EqualizeOperands(HloInstruction& instruction, std::size_t begin, std::size_t end);
// The size of a dimension of operand i is at most this.
void ShrinkTo(HloInstruction& instruction, std::int64_t i, std::int64_t dimension, std::int64_t size);

}  // namespace assay
