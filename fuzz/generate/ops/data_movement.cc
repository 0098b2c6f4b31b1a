// Ops that move elements.
#include <algorithm>
#include <utility>

#include "fuzz/generate/ops/drawings.h"
#include "fuzz/generate/windows.h"
#include "interpreter/builder/add_instruction.h"
#include "interpreter/types/index_util.h"

namespace assay::generate {
using namespace xla;
namespace {

constexpr std::int64_t kMostRank = 4;

// Returns some of an array's dimensions.
Int64List SomeDimensions(Random& random, std::int64_t rank) { return random.Some(random.Between(0, rank), rank); }

}  // namespace

XlaOp DrawBroadcast(InstructionDrawer& drawer) {
  Random& random = drawer.random();
  const Shape shape = drawer.ArrayShape(0, kMostRank - 1);
  const std::int64_t rank = random.Between(shape.rank(), kMostRank);
  const Int64List kept = random.OneIn(4) ? random.Some(shape.rank(), rank) : random.SortedSome(shape.rank(), rank);
  Dimensions dimensions(rank);
  for (std::int64_t& size : dimensions) size = DrawSize(random, 4);
  for (std::int64_t d = 0; d < shape.rank(); ++d) dimensions[kept[d]] = shape.dimensions(d);
  return drawer.Add(
      {{drawer.Value(shape)}, {{"dimensions", kept}}, ShapeUtil::MakeShape(shape.element_type(), dimensions)});
}

XlaOp DrawReshape(InstructionDrawer& drawer) {
  Random& random = drawer.random();
  const Shape shape = drawer.ArrayShape();
  const Dimensions sizes = DrawRegrouped(random, shape.dimensions(), kMostRank);
  const bool names_dimension = !sizes.empty() && random.OneIn(6);
  const AttributeValue inferred =
      names_dimension ? AttributeValue(random.Below(static_cast<std::int64_t>(sizes.size()))) : AttributeValue();
  return drawer.Add(
      {{drawer.Value(shape)}, {{"inferred_dimension", inferred}}, ShapeUtil::MakeShape(shape.element_type(), sizes)});
}

// Draws a reshape, or a change of element type to one of the same width.
XlaOp DrawBitcast(InstructionDrawer& drawer) {
  Random& random = drawer.random();
  const Shape shape = drawer.ArrayShape();
  std::vector<PrimitiveType> types = {shape.element_type()};
  for (const PrimitiveType type : ArrayTypes()) {
    const int bits = BitWidth(type);
    if (bits % 8 == 0 && bits == BitWidth(shape.element_type())) types.push_back(type);
  }
  const PrimitiveType type = random.OneOf(types);
  return drawer.Add(
      {{drawer.Value(shape)}, {}, ShapeUtil::MakeShape(type, DrawRegrouped(random, shape.dimensions(), kMostRank))});
}

// Draws a conversion; between types of different widths the last dimension is added or removed.
XlaOp DrawBitcastConvert(InstructionDrawer& drawer) {
  const PrimitiveType from = drawer.Type();
  std::vector<PrimitiveType> types;
  for (const PrimitiveType type : ArrayTypes()) {
    const int wider = std::max(BitWidth(from), BitWidth(type)), narrower = std::min(BitWidth(from), BitWidth(type));
    if (IsComplexType(from) == IsComplexType(type) && wider % narrower == 0 && wider / narrower <= 16) {
      types.push_back(type);
    }
  }
  const PrimitiveType to = drawer.random().OneOf(types);
  Dimensions operand = DrawDimensions(drawer.random(), {0, 3, 24}), result = operand;
  if (BitWidth(from) > BitWidth(to)) result.push_back(BitWidth(from) / BitWidth(to));
  if (BitWidth(from) < BitWidth(to)) operand.push_back(BitWidth(to) / BitWidth(from));
  return drawer.Add({{drawer.Value(ShapeUtil::MakeShape(from, operand))}, {}, ShapeUtil::MakeShape(to, result)});
}

XlaOp DrawTranspose(InstructionDrawer& drawer) {
  const Shape shape = drawer.ArrayShape();
  return drawer.Add({{drawer.Value(shape)}, {{"dimensions", drawer.random().Permutation(shape.rank())}}});
}

XlaOp DrawReverse(InstructionDrawer& drawer) {
  const Shape shape = drawer.ArrayShape();
  return drawer.Add({{drawer.Value(shape)}, {{"dimensions", SomeDimensions(drawer.random(), shape.rank())}}});
}

XlaOp DrawShuffle(InstructionDrawer& drawer) {
  const Shape shape = drawer.ArrayShape();
  const Int64List dimensions = SomeDimensions(drawer.random(), shape.rank());
  Int64List shifts;
  for (std::size_t i = 0; i < dimensions.size(); ++i) shifts.push_back(drawer.random().Between(-5, 5));
  return drawer.Add({{drawer.Value(shape)}, {{"dimensions", dimensions}, {"shifts", shifts}}, shape});
}

XlaOp DrawSlice(InstructionDrawer& drawer) {
  Random& random = drawer.random();
  const Shape shape = drawer.ArrayShape();
  SliceConfig slices;
  Dimensions sizes;
  for (const std::int64_t size : shape.dimensions()) {
    const std::int64_t start = random.OneIn(3) ? 0 : random.Between(0, size);
    const std::int64_t limit = random.OneIn(3) ? size : random.Between(start, size);
    slices.push_back({start, limit, random.OneIn(3) ? random.Between(2, 4) : 1});
    sizes.push_back((limit - start + slices.back().stride - 1) / slices.back().stride);
  }
  return drawer.Add(
      {{drawer.Value(shape)}, {{"slice", std::move(slices)}}, ShapeUtil::MakeShape(shape.element_type(), sizes)});
}

XlaOp DrawConcatenate(InstructionDrawer& drawer) {
  Random& random = drawer.random();
  const Shape shape = drawer.ArrayShape(1);
  const std::int64_t dimension = random.Below(shape.rank());
  std::vector<XlaOp> operands = {drawer.Value(shape)};
  for (std::int64_t i = random.Below(4); i > 0; --i) {
    Dimensions other = shape.dimensions();
    if (random.Flip()) other[dimension] = DrawSize(random, 4);
    operands.push_back(drawer.Value(ShapeUtil::MakeShape(shape.element_type(), other)));
  }
  return drawer.Add({operands, {{"dimensions", Int64List{dimension}}}});
}

XlaOp DrawPad(InstructionDrawer& drawer) {
  // HLO text has no notation for a padding of rank 0.
  const Shape shape = drawer.ArrayShape(1);
  return drawer.Add({{drawer.Value(shape), drawer.Scalar(shape.element_type())},
                     {{"padding", DrawPadding(drawer.random(), shape.dimensions())}}});
}

XlaOp DrawIota(InstructionDrawer& drawer) {
  const Shape shape = drawer.ArrayShape(1);
  return AddInstruction(drawer.builder(), drawer.op().name, {},
                        {{"iota_dimension", drawer.random().Below(shape.rank())}}, shape);
}

}  // namespace assay::generate
