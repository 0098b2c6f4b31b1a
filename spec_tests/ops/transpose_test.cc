// transpose (XLA, Operation Semantics: Transpose).
#include "spec_tests/ops/graph.h"
#include "spec_tests/ops/index_formula.h"
#include "spec_tests/property.h"

namespace assay::testing {
namespace {

Literal Transpose(const Literal& operand, Int64List permutation) {
  Graph g;
  return Evaluate(g.Add(op_transpose, {&g.Parameter(operand.shape())}, {{"dimensions", std::move(permutation)}}),
                  {operand});
}

TEST_CASE("transpose: a matrix") {
  const Literal result = Transpose(Array(S32, {2, 3}, {1, 2, 3, 4, 5, 6}), {1, 0});
  CHECK(result.BitwiseEqual(Array(S32, {3, 2}, {1, 4, 2, 5, 3, 6})));
}

TEST_CASE("transpose: operand dimension permutation[i] is result dimension i") {
  CHECK(Transpose(Literal(ShapeUtil::MakeShape(F32, {2, 3, 4})), {2, 0, 1}).shape().dimensions() ==
        Dimensions{4, 2, 3});
}

TEST_CASE("transpose: run-time sizes and padded widths move with their dimensions") {
  Shape operand = ShapeUtil::MakeShape(F32, {2, 3, 4});
  operand.set_dynamic_dimension(1, true);
  operand.mutable_layout().padded_dimensions = {5, 6, 7};
  Graph g;
  const HloInstruction& transpose =
      g.Add(op_transpose, operand, {&g.Parameter(operand)}, {{"dimensions", Int64List{1, 2, 0}}});
  const Result<Shape> result = op_transpose.legality.infer(transpose);
  REQUIRE(result.has_value());
  CHECK(result->ToStringWithoutLayout() == "f32[<=3,4,2]");
  CHECK(std::vector(result->layout().padded_dimensions) == std::vector<std::int64_t>{6, 7, 5});
}

TEST_CASE("transpose: moving only dimensions of size 1 shares the elements") {
  const Literal operand = Array(F32, {1, 3, 1, 2}, {1, 2, 3, 4, 5, 6});
  CHECK(Transpose(operand, {1, 0, 3, 2}).data() == operand.data());
  CHECK(Transpose(operand, {0, 1, 2, 3}).data() == operand.data());
}

TEST_CASE("transpose: every element by its formula") {
  Holds([] {
    const Dimensions sizes = AnyDimensions(InRange(0, 6), 0, 5);
    const Int64List permutation = AnyPermutation(sizes.size());
    const Literal operand = AnyArray(AnyStorage(), sizes);
    Dimensions result;
    for (std::int64_t d : permutation) result.push_back(sizes[d]);
    const Literal expected = ByFormula(ShapeUtil::MakeShape(operand.element_type(), result), [&](const Index& i) {
      Index from(i.size());
      for (std::size_t d = 0; d < i.size(); ++d) from[permutation[d]] = i[d];
      return ElementAt(operand, from);
    });
    ENSURE(Transpose(operand, permutation).BitwiseEqual(expected));
  });
}

TEST_CASE("transpose: large, past the size that one thread moves, and of rank 12") {
  const Literal operand = HashedArray(F32, {301, 7, 403});
  const Literal expected = ByFormula(ShapeUtil::MakeShape(F32, {403, 7, 301}), [&](const Index& i) {
    return ElementAt(operand, {i[2], i[1], i[0]});
  });
  CHECK(Transpose(operand, {2, 1, 0}).BitwiseEqual(expected));
  const Literal deep = HashedArray(U8, Dimensions(12, 2));
  const Literal reversed = Transpose(deep, {11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0});
  const Literal expected_reversed = ByFormula(deep.shape(), [&](const Index& i) {
    return ElementAt(deep, {i.rbegin(), i.rend()});
  });
  CHECK(reversed.BitwiseEqual(expected_reversed));
}

}  // namespace
}  // namespace assay::testing
