// Sizes that are only known at run time.
#include "fuzz/generate/ops/drawings.h"

namespace assay::generate {
namespace {

// Draws a size for a dimension, occasionally out of range.
XlaOp SizeOf(InstructionDrawer& drawer, std::int64_t bound) {
  return drawer.Value(DrawIndices(drawer.random(), ShapeUtil::MakeScalarShape(S32), bound + 1));
}

}  // namespace

XlaOp DrawGetDimensionSize(InstructionDrawer& drawer) {
  const Shape shape = drawer.ArrayShape(1);
  const std::int64_t dimension = drawer.random().Below(shape.rank());
  XlaOp operand = drawer.Value(shape);
  // The operand's size is set at run time, or is its bound.
  if (drawer.random().Flip())
    operand = SetDimensionSize(operand, SizeOf(drawer, shape.dimensions(dimension)), dimension);
  return drawer.Add({{operand}, {{"dimensions", Int64List{dimension}}}});
}

XlaOp DrawSetDimensionSize(InstructionDrawer& drawer) {
  const Shape shape = drawer.ArrayShape(1);
  const std::int64_t dimension = drawer.random().Below(shape.rank());
  const XlaOp size = SizeOf(drawer, shape.dimensions(dimension));
  return drawer.Add({{drawer.Value(shape), size}, {{"dimensions", Int64List{dimension}}}});
}

XlaOp DrawDynamicReshape(InstructionDrawer& drawer) {
  const Shape shape = drawer.ArrayShape();
  const Dimensions bounds = DrawRegrouped(drawer.random(), shape.dimensions(), 4);
  std::vector<XlaOp> operands = {drawer.Value(shape)};
  std::vector<bool> is_dynamic;
  for (const std::int64_t bound : bounds) {
    is_dynamic.push_back(drawer.random().Flip());
    const Literal whole = DrawIntegers(drawer.random(), ShapeUtil::MakeScalarShape(S32), bound, bound);
    operands.push_back(is_dynamic.back() ? SizeOf(drawer, bound) : drawer.Value(whole));
  }
  return drawer.Add({operands, {}, ShapeUtil::MakeShape(shape.element_type(), bounds, is_dynamic)});
}

}  // namespace assay::generate
