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

}  // namespace
}  // namespace assay::testing
