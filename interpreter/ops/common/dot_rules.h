// The dimensions of dot, ragged-dot and scaled-dot.
#pragma once

#include <span>

#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"

namespace assay {

// The entries of an index of the result: result[batch..., lhs_free..., rhs_free...].
struct DotIndex {
  Dimensions batch, lhs_free, rhs_free;
};

// Every dimension of either operand, by the part it plays.
struct DotDimensions {
  Int64List lhs_batch, lhs_free, lhs_contracting;
  Int64List rhs_batch, rhs_free, rhs_contracting;

  DotIndex Split(const Dimensions& result) const;
  // The indices of the operands with these entries: lhs[batch..., free..., contracting...] and
  // rhs[batch..., contracting..., free...] in the order of their dimensions.
  Dimensions LhsIndex(const Dimensions& batch, const Dimensions& free, const Dimensions& contracting) const;
  Dimensions RhsIndex(const Dimensions& batch, const Dimensions& contracting, const Dimensions& free) const;
};

// By the instruction's attributes, which must be legal.
DotDimensions DotDimensionsOf(const HloInstruction& dot);

// The element type of a product without a written result type: the one of higher precision.
PrimitiveType ProductType(PrimitiveType lhs, PrimitiveType rhs);

// The rules of dot for the first two operands; the result's shape, of the written element type where there is one.
Result<Shape> InferDot(const HloInstruction& dot);

// For Op::check_evaluated of dot and convolution: sparse and block-scaled operands are not evaluated.
Status CheckOperandsAreDense(const HloInstruction& product);

// For Op::fit_run_time_sizes: batch and contracting dimensions of both operands have the same sizes.
void EqualizeDotOperands(HloInstruction& dot);

// Sizes of some dimensions of an array, and their product.
Dimensions SizesOf(const Shape& shape, std::span<const std::int64_t> dimensions);
std::int64_t SizeOf(const Shape& shape, std::span<const std::int64_t> dimensions);

Int64List Concatenated(const Int64List& a, const Int64List& b, const Int64List& c = {});

}  // namespace assay
