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
