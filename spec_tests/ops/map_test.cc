// map (XLA, Operation Semantics: Map).
#include <cmath>
#include <cstring>
#include <random>

#include "spec_tests/ops/graph.h"

namespace assay::testing {
namespace {

Shape ScalarShape(PrimitiveType type) { return ShapeUtil::MakeScalarShape(type); }

// Returns the first s32 if the third operand is true, otherwise the second.
void Choose(std::span<const std::byte* const> in, std::span<std::byte* const> out, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    const int from = in[2][i] != std::byte{0} ? 0 : 1;
    std::memcpy(out[0] + 4 * i, in[from] + 4 * i, 4);
  }
}

TEST_CASE("map: operands of several types, one result element for each index") {
  Graph g;
  HloComputation& choose =
      g.Computation(op_select, {ScalarShape(S32), ScalarShape(S32), ScalarShape(PRED)}, ScalarShape(S32));
  FakeEvaluation evaluation;
  evaluation.Define(choose, Choose);
  HloInstruction& map =
      g.Add(op_map, {&g.Parameter(S32, {2, 2}), &g.Parameter(S32, {2, 2}), &g.Parameter(PRED, {2, 2})},
            {{"to_apply", &choose}});
  const Literal result = Evaluate(
      map, {Array(S32, {2, 2}, {1, 2, 3, 4}), Array(S32, {2, 2}, {5, 6, 7, 8}), Array(PRED, {2, 2}, {1, 0, 0, 1})},
      evaluation);
  CHECK(Numbers(result) == std::vector<double>{1, 6, 7, 4});
}

TEST_CASE("map: a scalar operand is repeated; the result has the computation's type") {
  Graph g;
  HloComputation& less = g.Computation(op_compare, {ScalarShape(F32), ScalarShape(F32)}, ScalarShape(PRED));
  FakeEvaluation evaluation;
  evaluation.Define<float, bool>(
      less, +[](float a, float b) { return a < b; });
  for (const bool scalar_first : {false, true}) {
    HloInstruction* array = &g.Parameter(F32, {3});
    HloInstruction* scalar = &g.Parameter(F32, {});
    std::vector<HloInstruction*> operands = {array, scalar};
    std::vector<Literal> values = {Array(F32, {3}, {1, 2, 3}), Array(F32, {}, {2})};
    if (scalar_first) std::swap(operands[0], operands[1]), std::swap(values[0], values[1]);
    HloInstruction& map = g.Add(op_map, operands, {{"to_apply", &less}});
    const Literal result = Evaluate(map, values, evaluation);
    CHECK(result.shape().ToStringWithoutLayout() == "pred[3]");
    CHECK(Numbers(result) == (scalar_first ? std::vector<double>{0, 0, 1} : std::vector<double>{1, 0, 0}));
  }
}

TEST_CASE("map: large, empty and scalar arrays") {
  Graph g;
  HloComputation& subtract = g.Binary(op_subtract, F32);
  FakeEvaluation evaluation;
  evaluation.Define<float>(
      subtract, +[](float a, float b) { return a - b; });
  for (const Dimensions& dimensions : {Dimensions{}, Dimensions{0, 3}, Dimensions{100003}}) {
    HloInstruction& map =
        g.Add(op_map, {&g.Parameter(F32, dimensions), &g.Parameter(F32, dimensions)}, {{"to_apply", &subtract}});
    Literal a(ShapeUtil::MakeShape(F32, dimensions)), b = a;
    std::mt19937 random(1);
    for (float& x : a.mutable_values<float>()) x = static_cast<float>(random() % 1000);
    for (float& x : b.mutable_values<float>()) x = static_cast<float>(random() % 1000);
    const Literal result = Evaluate(map, {a, b}, evaluation);
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < result.element_count(); ++i) {
      wrong += result.values<float>()[i] != a.values<float>()[i] - b.values<float>()[i];
    }
    CHECK(wrong == 0);
  }
}

}  // namespace
}  // namespace assay::testing
