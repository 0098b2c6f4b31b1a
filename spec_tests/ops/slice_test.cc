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

TEST_CASE("slice: examples of XLA's documentation") {
  CHECK(Numbers(Slice(Array(F32, {5}, {0, 1, 2, 3, 4}), {{2, 4, 1}})) == std::vector<double>{2, 3});
  const Literal b = Array(F32, {4, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  CHECK(Slice(b, {{2, 4, 1}, {1, 3, 1}}).BitwiseEqual(Array(F32, {2, 2}, {7, 8, 10, 11})));
}

TEST_CASE("slice: strides round the size up") {
  const Literal a = Array(S32, {7}, {0, 1, 2, 3, 4, 5, 6});
  CHECK(Numbers(Slice(a, {{0, 7, 3}})) == std::vector<double>{0, 3, 6});
  CHECK(Numbers(Slice(a, {{1, 6, 3}})) == std::vector<double>{1, 4});
  CHECK(Numbers(Slice(a, {{6, 7, INT64_MAX}})) == std::vector<double>{6});
  CHECK(Slice(a, {{7, 7, 1}}).element_count() == 0);
  CHECK(Slice(a, {{0, 7, 1}}).data() == a.data());
}

TEST_CASE("slice: a dimension of size 1 is static, others stay dynamic") {
  Graph g;
  HloInstruction& operand = g.Parameter(ShapeUtil::MakeShape(F32, {4, 5}, {true, true}));
  HloInstruction& slice = g.Add(op_slice, {&operand}, {{"slice", SliceConfig{{1, 2, 1}, {0, 4, 1}}}});
  const Result<Shape> shape = op_slice.legality.infer(slice);
  REQUIRE(shape.has_value());
  CHECK(shape->ToStringWithoutLayout() == "f32[1,<=4]");
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
