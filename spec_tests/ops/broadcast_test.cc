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
