// reverse and shuffle (XLA, Operation Semantics: Rev).
#include "spec_tests/ops/graph.h"
#include "spec_tests/ops/index_formula.h"
#include "spec_tests/property.h"

namespace assay::testing {
namespace {

Literal Reverse(const Literal& operand, Int64List dimensions) {
  Graph g;
  return Evaluate(g.Add(op_reverse, {&g.Parameter(operand.shape())}, {{"dimensions", std::move(dimensions)}}),
                  {operand});
}

Literal Shuffle(const Literal& operand, Int64List dimensions, Int64List shifts) {
  Graph g;
  return Evaluate(
      g.Add(op_shuffle, operand.shape(), {&g.Parameter(operand.shape())},
            {{"dimensions", std::move(dimensions)}, {"mode", std::string("rotate")}, {"shifts", std::move(shifts)}}),
      {operand});
}

TEST_CASE("reverse: index i becomes N - 1 - i") {
  const Literal matrix = Array(S32, {2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(Numbers(Reverse(matrix, {0})) == std::vector<double>{4, 5, 6, 1, 2, 3});
  CHECK(Numbers(Reverse(matrix, {1})) == std::vector<double>{3, 2, 1, 6, 5, 4});
  CHECK(Numbers(Reverse(matrix, {1, 0})) == std::vector<double>{6, 5, 4, 3, 2, 1});
}

TEST_CASE("reverse: of no dimension, or of size 1, shares the elements") {
  const Literal operand = Array(S32, {1, 3}, {1, 2, 3});
  CHECK(Reverse(operand, {}).data() == operand.data());
  CHECK(Reverse(operand, {0}).data() == operand.data());
}

TEST_CASE("reverse: every element by its formula, and twice is the operand") {
  Holds([] {
    const Dimensions sizes = AnyDimensions(InRange(0, 5), 0, 5);
    const Int64List dimensions = AnySubset(sizes.size());
    const Literal operand = AnyArray(AnyStorage(), sizes);
    const Literal expected = ByFormula(operand.shape(), [&](Index i) {
      for (std::int64_t d : dimensions) i[d] = sizes[d] - 1 - i[d];
      return ElementAt(operand, i);
    });
    const Literal result = Reverse(operand, dimensions);
    ENSURE(result.BitwiseEqual(expected));
    ENSURE(Reverse(result, dimensions).BitwiseEqual(operand));
  });
}

TEST_CASE("shuffle: rotates towards the front, by the shift modulo the size") {
  const Literal vector = Array(S32, {5}, {0, 1, 2, 3, 4});
  CHECK(Numbers(Shuffle(vector, {0}, {2})) == std::vector<double>{2, 3, 4, 0, 1});
  CHECK(Numbers(Shuffle(vector, {0}, {-1})) == std::vector<double>{4, 0, 1, 2, 3});
  CHECK(Numbers(Shuffle(vector, {0}, {12})) == std::vector<double>{2, 3, 4, 0, 1});
  CHECK(Numbers(Shuffle(Array(S32, {2, 3}, {1, 2, 3, 4, 5, 6}), {0, 1}, {1, 1})) ==
        std::vector<double>{5, 6, 4, 2, 3, 1});
  CHECK(Shuffle(Array(S32, {0, 2}, {}), {0}, {3}).element_count() == 0);
}

}  // namespace
}  // namespace assay::testing
