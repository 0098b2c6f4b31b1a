// select-and-scatter (XLA, Operation Semantics: SelectAndScatter).
#include <cmath>
#include <limits>

#include "spec_tests/ops/any_window.h"
#include "spec_tests/ops/exact_number.h"
#include "spec_tests/ops/graph.h"
#include "spec_tests/ops/scalar_functions.h"
#include "spec_tests/property.h"

namespace assay::testing {
namespace {

bool GreaterOrEqual(float a, float b) { return a >= b; }
bool Greater(float a, float b) { return a > b; }
float FollowFloats(float a, float b) { return std::fmod(a * 31 + b, 1009.0f); }

Literal SelectAndScatter(const Literal& operand, const Literal& source, double init,
                         std::vector<WindowDimension> window, bool (*select)(float, float),
                         float (*scatter)(float, float) = AddFloats, const Op& scatter_op = op_add) {
  Graph g;
  const Shape scalar = ShapeUtil::MakeScalarShape(F32);
  HloComputation& select_computation = g.Computation(op_compare, {scalar, scalar}, ShapeUtil::MakeScalarShape(PRED));
  HloComputation& scatter_computation = g.Binary(scatter_op, F32);
  FakeEvaluation evaluation;
  evaluation.Define<float, bool>(select_computation, select);
  evaluation.Define(scatter_computation, scatter, &scatter_op);
  HloInstruction& instruction = g.Add(
      op_select_and_scatter, {&g.Parameter(operand.shape()), &g.Parameter(source.shape()), &g.Parameter(scalar)},
      {{"window", Window{std::move(window)}}, {"select", &select_computation}, {"scatter", &scatter_computation}});
  return Evaluate(instruction, {operand, source, Array(F32, {}, {init})}, evaluation);
}

TEST_CASE("select-and-scatter: any window, by the definition") {
  Holds([] {
    const WindowedBase w = AnyWindowedBase(3);
    const std::vector<double> numbers = AnyIntegers(Product(w.base), 4);
    const std::vector<double> sources = AnyIntegers(Product(w.positions), 1000);
    const bool by_sum = Flip();
    const auto select = Flip() ? Greater : GreaterOrEqual;
    std::vector<std::int64_t> selected(sources.size(), -1);
    ForEachElementUnder(w, [&](std::int64_t position, std::int64_t element) {
      std::int64_t& chosen = selected[position];
      const bool keep =
          chosen >= 0 && select(static_cast<float>(numbers[chosen]), static_cast<float>(numbers[element]));
      if (!keep) chosen = element;
    });
    std::vector<double> expected(numbers.size(), 3);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (selected[i] < 0) continue;
      double& e = expected[selected[i]];
      e = by_sum ? e + sources[i] : FollowFloats(static_cast<float>(e), static_cast<float>(sources[i]));
    }
    ENSURE(
        Numbers(SelectAndScatter(Array(F32, w.base, numbers), Array(F32, w.positions, sources), 3, w.window.dimensions,
                                 select, by_sum ? AddFloats : FollowFloats, by_sum ? op_add : op_power)) == expected);
  });
}

}  // namespace
}  // namespace assay::testing
