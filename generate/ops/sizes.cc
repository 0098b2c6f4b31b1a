// Sizes that are only known at run time.
#include "generate/ops/drawings.h"

namespace assay::generate {
namespace {

// Draws a size for a dimension, occasionally out of range.
XlaOp SizeOf(Draft& draft, std::int64_t bound) {
  return draft.Value(DrawIndices(draft.random(), ShapeUtil::MakeScalarShape(S32), bound + 1));
}

}  // namespace

XlaOp DrawGetDimensionSize(Draft& draft) {
  const Shape shape = draft.ArrayShape(1);
  const std::int64_t dimension = draft.random().Below(shape.rank());
  XlaOp operand = draft.Value(shape);
  // The operand's size is set at run time, or is its bound.
  if (draft.random().Flip()) operand = SetDimensionSize(operand, SizeOf(draft, shape.dimensions(dimension)), dimension);
  return draft.Add({{operand}, {{"dimensions", Int64List{dimension}}}});
}

XlaOp DrawSetDimensionSize(Draft& draft) {
  const Shape shape = draft.ArrayShape(1);
  const std::int64_t dimension = draft.random().Below(shape.rank());
  const XlaOp size = SizeOf(draft, shape.dimensions(dimension));
  return draft.Add({{draft.Value(shape), size}, {{"dimensions", Int64List{dimension}}}});
}

XlaOp DrawDynamicReshape(Draft& draft) {
  const Shape shape = draft.ArrayShape();
  const Dimensions bounds = DrawRegrouped(draft.random(), shape.dimensions(), 4);
  std::vector<XlaOp> operands = {draft.Value(shape)};
  std::vector<bool> is_dynamic;
  for (const std::int64_t bound : bounds) {
    is_dynamic.push_back(draft.random().Flip());
    const Literal whole = DrawIntegers(draft.random(), ShapeUtil::MakeScalarShape(S32), bound, bound);
    operands.push_back(is_dynamic.back() ? SizeOf(draft, bound) : draft.Value(whole));
  }
  return draft.Add({operands, {}, ShapeUtil::MakeShape(shape.element_type(), bounds, is_dynamic)});
}

}  // namespace assay::generate
