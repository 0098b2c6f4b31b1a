// reshape and dynamic-reshape (XLA, Operation Semantics: Reshape; XLA, Broadcasting).
#include "spec_tests/ops/graph.h"
#include "spec_tests/ops/index_formula.h"

namespace assay::testing {
namespace {

Literal Reshape(const Literal& operand, Dimensions result) {
  Graph g;
  return Evaluate(g.Add(op_reshape, ShapeUtil::MakeShape(operand.element_type(), std::move(result)),
                        {&g.Parameter(operand.shape())}),
                  {operand});
}

// The specification's reshape with an order of dimensions: transposes first.
Literal Reshape(const Literal& operand, Int64List order, Dimensions result) {
  Graph g;
  HloInstruction& transpose = g.Add(op_transpose, {&g.Parameter(operand.shape())}, {{"dimensions", std::move(order)}});
  return Reshape(Evaluate(transpose, {operand}), std::move(result));
}

Literal Seed() {
  return Array(F32, {4, 2, 3},
               {10, 11, 12, 15, 16, 17, 20, 21, 22, 25, 26, 27, 30, 31, 32, 35, 36, 37, 40, 41, 42, 45, 46, 47});
}

TEST_CASE("reshape: in-order collapse, as in XLA's documentation") {
  const Literal v012_24 = Reshape(Seed(), {24});
  CHECK(v012_24.BitwiseEqual(Array(F32, {24}, Numbers(Seed()))));
  CHECK(Reshape(Seed(), {8, 3}).BitwiseEqual(Array(F32, {8, 3}, {10, 11, 12, 15, 16, 17, 20, 21, 22, 25, 26, 27,
                                                                 30, 31, 32, 35, 36, 37, 40, 41, 42, 45, 46, 47})));
}

TEST_CASE("reshape: out-of-order collapse, as in XLA's documentation") {
  const std::vector<double> v021 = {10, 20, 30, 40, 11, 21, 31, 41, 12, 22, 32, 42,
                                    15, 25, 35, 45, 16, 26, 36, 46, 17, 27, 37, 47};
  CHECK(Reshape(Seed(), {1, 2, 0}, {24}).BitwiseEqual(Array(F32, {24}, v021)));
  CHECK(Reshape(Seed(), {1, 2, 0}, {8, 3}).BitwiseEqual(Array(F32, {8, 3}, v021)));
  CHECK(Reshape(Seed(), {1, 2, 0}, {2, 6, 2}).BitwiseEqual(Array(F32, {2, 6, 2}, v021)));
}

TEST_CASE("reshape: a single element to a scalar and back, as in XLA's documentation") {
  CHECK(Reshape(Array(F32, {1, 1}, {5}), {}).BitwiseEqual(Array(F32, {}, {5})));
  CHECK(Reshape(Array(F32, {}, {5}), {1, 1}).BitwiseEqual(Array(F32, {1, 1}, {5})));
}

TEST_CASE("reshape: elements are shared, and the inverse gives the operand back") {
  const Literal v = Seed();
  CHECK(Reshape(v, {3, 8}).data() == v.data());
  CHECK(Reshape(Reshape(v, {2, 2, 2, 3}), {4, 2, 3}).BitwiseEqual(v));
}

TEST_CASE("reshape: zero-sized arrays and rank 12") {
  CHECK(Reshape(Array(S8, {0, 5}, {}), {7, 0}).shape().dimensions() == Dimensions{7, 0});
  CHECK(Reshape(Array(S8, {2}, {1, 2}), {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2}).shape().rank() == 12);
}

TEST_CASE("dynamic-reshape: the elements inside the run-time sizes keep their order") {
  Graph g;
  const Shape bounded = ShapeUtil::MakeShape(S32, {6}, {true});
  HloInstruction& reshape = g.Add(op_dynamic_reshape, ShapeUtil::MakeShape(S32, {2, 3}, {true, true}),
                                  {&g.Parameter(bounded), &g.Parameter(S32, {}), &g.Parameter(S32, {})});
  Literal operand = Array(S32, {6}, {1, 2, 3, 4, 5, 6}).WithShape(bounded);
  operand.set_dynamic_size(0, 4);
  const Literal result = Evaluate(reshape, {operand, Array(S32, {}, {2}), Array(S32, {}, {2})});
  CHECK(Numbers(result) == std::vector<double>{1, 2, 0, 3, 4, 0});
  CHECK(result.dynamic_size(0) == 2);
  CHECK(result.dynamic_size(1) == 2);

  const Literal full = Evaluate(
      reshape, {Array(S32, {6}, {1, 2, 3, 4, 5, 6}).WithShape(bounded), Array(S32, {}, {2}), Array(S32, {}, {3})});
  CHECK(Numbers(full) == std::vector<double>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("dynamic-reshape: a static dimension keeps its size, whatever the number says") {
  Graph g;
  HloInstruction& reshape = g.Add(op_dynamic_reshape, ShapeUtil::MakeShape(S32, {2, 2}, {false, true}),
                                  {&g.Parameter(S32, {4}), &g.Parameter(S32, {}), &g.Parameter(S32, {})});
  const Literal result = Evaluate(reshape, {Array(S32, {4}, {1, 2, 3, 4}), Array(S32, {}, {1}), Array(S32, {}, {1})});
  CHECK(result.dynamic_size(0) == 2);
  CHECK(result.dynamic_size(1) == 1);
}

}  // namespace
}  // namespace assay::testing
