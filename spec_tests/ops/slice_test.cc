// slice (XLA, Operation Semantics: Slice).
#include "spec_tests/ops/graph.h"
#include "spec_tests/ops/index_formula.h"
#include "spec_tests/property.h"

namespace assay::testing {
namespace {

Literal Slice(const Literal& operand, SliceConfig slice) {
  Graph g;
  return Evaluate(g.Add(op_slice, {&g.Parameter(operand.shape())}, {{"slice", std::move(slice)}}), {operand});
}

TEST_CASE("slice: every element by its formula") {
  Holds([] {
    const Dimensions sizes = AnyDimensions(InRange(0, 5), 0, 6);
    const Literal operand = AnyArray(AnyStorage(), sizes);
    SliceConfig slice;
    Dimensions result;
    for (std::int64_t size : sizes) {
      SliceDimension s;
      s.start = InRange(0, size + 1);
      s.limit = InRange(s.start, size + 1);
      s.stride = InRange(1, 4);
      std::int64_t count = 0;
      for (std::int64_t i = s.start; i < s.limit; i += s.stride) ++count;
      slice.push_back(s);
      result.push_back(count);
    }
    const Literal expected = ByFormula(ShapeUtil::MakeShape(operand.element_type(), result), [&](Index i) {
      for (std::size_t d = 0; d < i.size(); ++d) i[d] = slice[d].start + i[d] * slice[d].stride;
      return ElementAt(operand, i);
    });
    ENSURE(Slice(operand, slice).BitwiseEqual(expected));
  });
}

}  // namespace
}  // namespace assay::testing
