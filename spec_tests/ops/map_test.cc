// map (XLA, Operation Semantics: Map).
#include <cmath>
#include <cstring>
#include <random>

#include "spec_tests/ops/graph.h"

namespace assay::testing {
namespace {

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
