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

// The dimensions of both operands, by kind.
struct DotDimensions {
  Int64List lhs_batch, lhs_free, lhs_contracting;
  Int64List rhs_batch, rhs_free, rhs_contracting;

  DotIndex Split(const Dimensions& result) const;
  // Return the indices of the operands with these entries: lhs[batch..., free..., contracting...] and rhs[batch...,
  // contracting..., free...], in the order of their dimensions.
  Dimensions LhsIndex(const Dimensions& batch, const Dimensions& free, const Dimensions& contracting) const;
  Dimensions RhsIndex(const Dimensions& batch, const Dimensions& contracting, const Dimensions& free) const;
};

// Reads the dimensions from the instruction's attributes, which must be legal.
DotDimensions DotDimensionsOf(const HloInstruction& dot);

// Returns the element type of a product without a written result type: the one of higher precision.
PrimitiveType ProductType(PrimitiveType lhs, PrimitiveType rhs);

// Checks the rules of dot for the first two operands. Returns the result's shape, with the written element type if any.
Result<Shape> InferDot(const HloInstruction& dot);

// Fails if the product has the attribute, with which it is not evaluated.
Status CheckLacks(const HloInstruction& product, AttributeName attribute);
// Implements Op::check_evaluated of dot: sparse and block-scaled operands are not evaluated.
Status CheckOperandsAreDense(const HloInstruction& dot);

// Implements Op::fit_run_time_sizes: batch and contracting dimensions of both operands have the same sizes.
void EqualizeDotOperands(HloInstruction& dot);

// Return the sizes of some dimensions of an array, and their product.
Dimensions SizesOf(const Shape& shape, std::span<const std::int64_t> dimensions);
std::int64_t SizeOf(const Shape& shape, std::span<const std::int64_t> dimensions);

Int64List Concatenated(const Int64List& a, const Int64List& b, const Int64List& c = {});

}  // namespace assay
