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

std::string ResultOf(PrimitiveType from, Dimensions dimensions, PrimitiveType to) {
  Graph g;
  const HloInstruction& convert =
      g.Add(op_bitcast_convert, ShapeUtil::MakeScalarShape(to), {&g.Parameter(from, std::move(dimensions))});
  const Result<Shape> shape = op_bitcast_convert.legality.infer(convert);
  return shape ? shape->ToStringWithoutLayout() : shape.error().message;
}

TEST_CASE("bitcast-convert: shapes, as in XLA's documentation") {
  CHECK(ResultOf(F32, {10}, F16) == "f16[10,2]");
  CHECK(ResultOf(F32, {}, F16) == "f16[2]");
  CHECK(ResultOf(F16, {10, 2}, F32) == "f32[10]");
  CHECK(ResultOf(S32, {}, F32) == "f32[]");
  CHECK(ResultOf(S32, {}, S8) == "s8[4]");
  CHECK(ResultOf(F64, {3, 2}, U4) == "u4[3,2,16]");
}

// XLA:CPU and StableHLO's interpreter agree.
TEST_CASE("bitcast-convert: the lowest bits come first") {
  const Literal bytes = LiteralOfBits<std::uint8_t>(U8, {2, 4}, {1, 2, 3, 4, 255, 0, 0, 0});
  const Literal words = LiteralOfBits<std::uint32_t>(U32, {2}, {0x04030201, 0xff});
  CHECK(BitcastConvert(bytes, U32).BitwiseEqual(words));
  CHECK(BitcastConvert(words, U8).BitwiseEqual(bytes));
  const Literal signals = LiteralOfBits<std::uint32_t>(U32, {3}, {0x7f800001, 0x80000000, 0xffc12345});
  CHECK(BitcastConvert(BitcastConvert(signals, F32), U32).BitwiseEqual(signals));
  CHECK(Numbers(BitcastConvert(LiteralOfBits<std::uint64_t>(F64, {1}, {0x3f80000040000000}), F32)) ==
        std::vector<double>{2, 1});
}

TEST_CASE("bitcast-convert: types of less than a byte, the low nibble first") {
  const Literal bytes = LiteralOfBits<std::uint8_t>(U8, {2}, {0x21, 0x43});
  CHECK(BitcastConvert(bytes, U4).BitwiseEqual(LiteralOfBits<std::uint8_t>(U4, {2, 2}, {1, 2, 3, 4})));
  CHECK(Numbers(BitcastConvert(LiteralOfBits<std::uint8_t>(U8, {2}, {0x21, 0xf8}), S4)) ==
        std::vector<double>{1, 2, -8, -1});
  CHECK(BitcastConvert(LiteralOfBits<std::int8_t>(S4, {2, 2}, {1, -2, 3, -8}), U8)
            .BitwiseEqual(LiteralOfBits<std::uint8_t>(U8, {2}, {225, 131})));
  CHECK(Numbers(BitcastConvert(LiteralOfBits<std::uint8_t>(U8, {1}, {0b01101001}), S1)) ==
        std::vector<double>{-1, 0, 0, -1, 0, -1, -1, 0});
  CHECK(Numbers(BitcastConvert(LiteralOfBits<std::uint8_t>(U8, {1}, {0b01101100}), U2)) ==
        std::vector<double>{0, 3, 2, 1});
  CHECK(BitcastConvert(LiteralOfBits<std::int8_t>(S4, {2}, {-1, 7}), U4)
            .BitwiseEqual(LiteralOfBits<std::uint8_t>(U4, {2}, {15, 7})));
  CHECK(Numbers(BitcastConvert(LiteralOfBits<std::uint8_t>(U4, {2}, {0x2, 0xf}), F4E2M1FN)) ==
        std::vector<double>{1, -6});
  CHECK(BitcastConvert(LiteralOfBits<std::uint8_t>(U2, {1, 3}, {1, 2, 3}), F6E2M3FN)
            .BitwiseEqual(LiteralOfBits<std::uint8_t>(F6E2M3FN, {1}, {0b111001})));
}

TEST_CASE("bitcast-convert: a byte that is not zero is true") {
  CHECK(BitcastConvert(LiteralOfBits<std::uint8_t>(U8, {4}, {0, 1, 2, 255}), PRED)
            .BitwiseEqual(LiteralOfBits<std::uint8_t>(PRED, {4}, {0, 1, 1, 1})));
  CHECK(BitcastConvert(LiteralOfBits<std::uint8_t>(PRED, {2}, {0, 1}), S8)
            .BitwiseEqual(LiteralOfBits<std::int8_t>(S8, {2}, {0, 1})));
}

TEST_CASE("bitcast-convert: complex numbers") {
  const Literal c = Array(C64, {2}, {1, 2, 3, 4});
  CHECK(BitcastConvert(c, C64).BitwiseEqual(c));
  const Literal wide = BitcastConvert(Array(C128, {1}, {1, -2}), C64);
  CHECK(wide.shape().dimensions() == Dimensions{1, 2});
  CHECK(BitcastConvert(wide, C128).BitwiseEqual(Array(C128, {1}, {1, -2})));
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

TEST_CASE("bitcast: of row-major arrays is a reshape that shares the elements") {
  const Literal operand = Array(F32, {2, 3}, {1, 2, 3, 4, 5, 6});
  const Literal result = Bitcast(operand, ShapeUtil::MakeShape(F32, {3, 2}));
  CHECK(result.data() == operand.data());
  CHECK(result.shape().dimensions() == Dimensions{3, 2});
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

TEST_CASE("bitcast: another type of the same bytes") {
  const Literal operand = Array(F32, {2}, {1, 2});
  CHECK(Bitcast(operand, ShapeUtil::MakeShape(U32, {2}))
            .BitwiseEqual(LiteralOfBits<std::uint32_t>(U32, {2}, {0x3f800000, 0x40000000})));
  CHECK(Numbers(Bitcast(operand, ShapeUtil::MakeShape(U8, {8}))) ==
        std::vector<double>{0, 0, 0x80, 0x3f, 0, 0, 0, 0x40});
}

}  // namespace
}  // namespace assay::testing
