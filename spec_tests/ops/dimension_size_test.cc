// get-dimension-size and set-dimension-size (XLA, Operation Semantics: GetDimensionSize and SetDimensionSize).
#include "spec_tests/ops/graph.h"

namespace assay::testing {
namespace {

Literal Get(const Literal& operand, std::int64_t dimension) {
  Graph g;
  return Evaluate(g.Add(op_get_dimension_size, {&g.Parameter(operand.shape())}, {{"dimensions", Int64List{dimension}}}),
                  {operand});
}
Literal Set(const Literal& operand, std::int32_t size, std::int64_t dimension) {
  Graph g;
  return Evaluate(g.Add(op_set_dimension_size, {&g.Parameter(operand.shape()), &g.Parameter(S32, {})},
                        {{"dimensions", Int64List{dimension}}}),
                  {operand, Array(S32, {}, {static_cast<double>(size)})});
}

TEST_CASE("set-dimension-size: the example of XLA's documentation keeps bound and elements") {
  const Literal v = Array(F32, {10}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  const Literal padded_v_five = Set(v, 5, 0), padded_v_six = Set(v, 6, 0);
  CHECK(padded_v_five.shape().ToStringWithoutLayout() == "f32[<=10]");
  CHECK(padded_v_five.data() == v.data());
  CHECK(Get(padded_v_five, 0).BitwiseEqual(Array(S32, {}, {5})));
  CHECK(Get(padded_v_six, 0).BitwiseEqual(Array(S32, {}, {6})));
}

TEST_CASE("get-dimension-size: the size of a static dimension, and each dimension its own") {
  const Literal v = Array(F32, {2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(Get(v, 1).BitwiseEqual(Array(S32, {}, {3})));
  const Literal both = Set(Set(v, 1, 0), 2, 1);
  CHECK(Get(both, 0).BitwiseEqual(Array(S32, {}, {1})));
  CHECK(Get(both, 1).BitwiseEqual(Array(S32, {}, {2})));
}

TEST_CASE("set-dimension-size: a size outside the bound counts as the nearer end") {
  const Literal v = Array(F32, {6}, {1, 2, 3, 4, 5, 6});
  CHECK(Get(Set(v, 9, 0), 0).BitwiseEqual(Array(S32, {}, {6})));
  CHECK(Get(Set(v, -1, 0), 0).BitwiseEqual(Array(S32, {}, {0})));
}

}  // namespace
}  // namespace assay::testing
