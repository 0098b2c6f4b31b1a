// broadcast (XLA, Operation Semantics: Broadcast and BroadcastInDim; XLA, Broadcasting).
#include "interpreter/types/index_util.h"
#include "spec_tests/ops/graph.h"
#include "spec_tests/ops/index_formula.h"
#include "spec_tests/property.h"

namespace assay::testing {
namespace {

Literal Broadcast(const Literal& operand, Dimensions result, Int64List dimensions) {
  Graph g;
  const Shape shape = ShapeUtil::MakeShape(operand.element_type(), std::move(result));
  HloInstruction& broadcast =
      g.Add(op_broadcast, shape, {&g.Parameter(operand.shape())}, {{"dimensions", std::move(dimensions)}});
  return Evaluate(broadcast, {operand});
}

TEST_CASE("broadcast: the scalar 2.0 to f32[2,3], as in XLA's documentation") {
  CHECK(Numbers(Broadcast(Array(F32, {}, {2}), {2, 3}, {})) == std::vector<double>(6, 2));
}

TEST_CASE("broadcast: a vector along rows and along columns") {
  const Literal vector = Array(S32, {3}, {7, 8, 9});
  CHECK(Numbers(Broadcast(vector, {2, 3}, {1})) == std::vector<double>{7, 8, 9, 7, 8, 9});
  CHECK(Numbers(Broadcast(vector, {3, 2}, {0})) == std::vector<double>{7, 7, 8, 8, 9, 9});
}

TEST_CASE("broadcast: dimensions need not ascend") {
  const Literal matrix = Array(S32, {2, 2}, {1, 2, 3, 4});
  CHECK(Numbers(Broadcast(matrix, {2, 2}, {1, 0})) == std::vector<double>{1, 3, 2, 4});
}

TEST_CASE("broadcast: adding dimensions of size 1 shares the elements") {
  const Literal vector = Array(F64, {5}, {1, 2, 3, 4, 5});
  CHECK(Broadcast(vector, {1, 5, 1}, {1}).data() == vector.data());
}

TEST_CASE("broadcast: zero-sized arrays") {
  CHECK(Broadcast(Array(F32, {}, {1}), {3, 0}, {}).element_count() == 0);
  CHECK(Broadcast(Array(F32, {0}, {}), {0, 4}, {0}).element_count() == 0);
}

TEST_CASE("broadcast: every element by its formula") {
  Holds([] {
    const Dimensions result = AnyDimensions(InRange(0, 5), 0, 5);
    const Int64List dimensions = AnySubset(result.size());
    Dimensions sizes;
    for (std::int64_t d : dimensions) sizes.push_back(result[d]);
    const Literal operand = AnyArray(AnyStorage(), sizes);
    const Literal expected = ByFormula(ShapeUtil::MakeShape(operand.element_type(), result), [&](const Index& i) {
      Index from;
      for (std::int64_t d : dimensions) from.push_back(i[d]);
      return ElementAt(operand, from);
    });
    ENSURE(Broadcast(operand, result, dimensions).BitwiseEqual(expected));
  });
}

}  // namespace
}  // namespace assay::testing
