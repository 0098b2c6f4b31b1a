// The dimensions of dot, ragged-dot and scaled-dot.
#pragma once

#include <span>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

// Every dimension of either operand, by the part it plays.
struct DotDimensions {
  Int64List lhs_batch, lhs_free, lhs_contracting;
  Int64List rhs_batch, rhs_free, rhs_contracting;
};

// By the instruction's attributes, which must be legal.
DotDimensions DotDimensionsOf(const HloInstruction& dot);

// The rules of dot for the first two operands; the result's shape, of the written element type where there is one.
Result<Shape> InferDot(const HloInstruction& dot);

// For Op::check_evaluated of dot and convolution: sparse and block-scaled operands are not evaluated.
Status CheckOperandsAreDense(const HloInstruction& product);

// For Op::fit_run_time_sizes: batch and contracting dimensions of both operands have the same sizes.
void EqualizeDotOperands(HloInstruction& dot);

// Sizes of some dimensions of an array, and their product.
Dimensions SizesOf(const Shape& shape, std::span<const std::int64_t> dimensions);
std::int64_t SizeOf(const Shape& shape, std::span<const std::int64_t> dimensions);

// The array with its dimensions in this order.
Literal Permuted(const Literal& array, const Int64List& order);
Int64List Concatenated(const Int64List& a, const Int64List& b, const Int64List& c = {});

// The dot of two arrays: shape's element type, dimensions by the rules.
Literal EvaluateDot(const Literal& lhs, const Literal& rhs, const DotDimensions& dimensions, const Shape& shape);

}  // namespace assay
