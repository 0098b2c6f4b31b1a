// bitcast and bitcast-convert (XLA, Operation Semantics: BitcastConvertType; XLA, Shapes and Layout).
#include "interpreter/types/index_util.h"
#include "spec_tests/ops/graph.h"
#include "spec_tests/ops/index_formula.h"
#include "spec_tests/property.h"

namespace assay::testing {
namespace {

Literal BitcastConvert(const Literal& operand, PrimitiveType to) {
  Graph g;
  HloInstruction& convert = g.Add(op_bitcast_convert, ShapeUtil::MakeScalarShape(to), {&g.Parameter(operand.shape())});
  const Result<Shape> shape = op_bitcast_convert.legality.infer(convert);
  if (!shape) FAIL(shape.error().message);
  convert.shape = *shape;
  return Evaluate(convert, {operand});
}

template <class T>
Literal LiteralOfBits(PrimitiveType type, Dimensions dimensions, const std::vector<T>& values) {
  return LiteralUtil::Create<T>(type, std::move(dimensions), values);
}

TEST_CASE("bitcast-convert: there and back is the operand, and scalars have a kernel") {
  for (PrimitiveType narrow : {S1, U2, S4, U8, BF16, F32}) {
    for (PrimitiveType wide : {U8, F16, S32, F64}) {
      if (BitWidth(narrow) > BitWidth(wide)) continue;
      const Literal operand = HashedArray(wide, {5});
      CHECK(BitcastConvert(BitcastConvert(operand, narrow), wide).BitwiseEqual(operand));
    }
  }
  Graph g;
  const HloInstruction& same = g.Add(op_bitcast_convert, ShapeUtil::MakeShape(F32, {3}), {&g.Parameter(S32, {3})});
  const std::int32_t in[3] = {0x3f800000, 0, 0x40000000};
  float out[3];
  const std::byte* operands[] = {reinterpret_cast<const std::byte*>(in)};
  op_bitcast_convert.evaluation.kernel(same)(operands, reinterpret_cast<std::byte*>(out), 3);
  CHECK(std::vector<float>(out, out + 3) == std::vector<float>{1, 0, 2});
  CHECK(!op_bitcast_convert.evaluation.kernel(
      g.Add(op_bitcast_convert, ShapeUtil::MakeShape(S8, {4}), {&g.Parameter(S32, {})})));
}

Literal Bitcast(const Literal& operand, const Shape& to) {
  Graph g;
  return Evaluate(g.Add(op_bitcast, to, {&g.Parameter(operand.shape())}), {operand});
}

TEST_CASE("bitcast: reads the operand's memory in the order of the result's layout") {
  const Literal operand = Array(F32, {2, 3}, {1, 2, 3, 4, 5, 6});
  // Memory 1 2 3 4 5 6, read column by column.
  CHECK(Numbers(Bitcast(operand, ShapeUtil::MakeShapeWithLayout(F32, {3, 2}, {0, 1}))) ==
        std::vector<double>{1, 4, 2, 5, 3, 6});
  // Column-major memory 1 4 2 5 3 6.
  const Literal column_major = operand.WithShape(ShapeUtil::MakeShapeWithLayout(F32, {2, 3}, {0, 1}));
  CHECK(Numbers(Bitcast(column_major, ShapeUtil::MakeShape(F32, {6}))) == std::vector<double>{1, 4, 2, 5, 3, 6});
  CHECK(Bitcast(column_major, column_major.shape()).data() == column_major.data());
}

TEST_CASE("bitcast: any two layouts, by offsets in memory") {
  Holds([] {
    const Dimensions sizes = AnyDimensions(InRange(1, 5), 1, 4);
    const Int64List order = AnyPermutation(sizes.size());
    Dimensions permuted;
    for (std::int64_t d : order) permuted.push_back(sizes[d]);
    const Shape from = ShapeUtil::MakeShapeWithLayout(S32, sizes, AnyPermutation(sizes.size()));
    const Shape to = ShapeUtil::MakeShapeWithLayout(S32, permuted, AnyPermutation(sizes.size()));
    const Literal operand = AnyArray(S32, sizes).WithShape(from);
    std::vector<std::string> memory(operand.element_count());
    for (std::int64_t i = 0; i < operand.element_count(); ++i) {
      const Index index = IndexOf(i, sizes);
      memory[IndexUtil::MultidimensionalIndexToLinearIndex(from, index)] = ElementAt(operand, index);
    }
    const Literal expected =
        ByFormula(to, [&](const Index& i) { return memory[IndexUtil::MultidimensionalIndexToLinearIndex(to, i)]; });
    ENSURE(Bitcast(operand, to).BitwiseEqual(expected));
  });
}

TEST_CASE("bitcast: tiled memory") {
  Shape tiled = ShapeUtil::MakeShape(S32, {4, 4});
  tiled.mutable_layout().tiles = {Tile{{2, 2}}};
  std::vector<double> numbers(16);
  for (int i = 0; i < 16; ++i) numbers[i] = i;
  const Literal operand = Array(S32, {4, 4}, numbers);
  // The first tile holds rows 0 and 1 of columns 0 and 1.
  const std::vector<double> memory = {0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15};
  const Literal flat = Bitcast(operand.WithShape(tiled), ShapeUtil::MakeShape(S32, {16}));
  CHECK(Numbers(flat) == memory);
  CHECK(Bitcast(flat, tiled).BitwiseEqual(operand));
}

}  // namespace
}  // namespace assay::testing
