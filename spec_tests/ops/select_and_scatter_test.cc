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

TEST_CASE("select-and-scatter: windows that do not overlap") {
  const Literal operand = Array(F32, {4, 6}, {7, 2, 5, 3, 10, 2,  //
                                              3, 8, 9, 3, 4,  2,  //
                                              1, 5, 7, 5, 6,  1,  //
                                              0, 6, 2, 7, 2,  8});
  const Literal source = Array(F32, {2, 2}, {2, 6, 3, 1});
  CHECK(Numbers(SelectAndScatter(operand, source, 0, {{.size = 2, .stride = 2}, {.size = 3, .stride = 3}},
                                 GreaterOrEqual)) == std::vector<double>{0, 0, 0, 0, 6, 0,  //
                                                                         0, 0, 2, 0, 0, 0,  //
                                                                         0, 0, 3, 0, 0, 0,  //
                                                                         0, 0, 0, 0, 0, 1});
}

TEST_CASE("select-and-scatter: two windows select the 9 of XLA's documentation, and 2 + 6 arrive there") {
  const Literal operand = Array(F32, {4, 5}, {7, 2, 5, 3,  8,  //
                                              3, 8, 9, 3,  4,  //
                                              1, 5, 7, 5,  6,  //
                                              0, 6, 2, 10, 2});
  const Literal source = Array(F32, {2, 2}, {2, 6, 3, 1});
  CHECK(Numbers(SelectAndScatter(operand, source, 0, {{.size = 2, .stride = 2}, {.size = 3, .stride = 2}},
                                 GreaterOrEqual)) == std::vector<double>{0, 0, 0, 0, 0,  //
                                                                         0, 0, 8, 0, 0,  //
                                                                         0, 0, 3, 0, 0,  //
                                                                         0, 0, 0, 1, 0});
}

TEST_CASE("select-and-scatter: select compares the one chosen so far with the next") {
  const double nan = std::nan("");
  const Literal ties = Array(F32, {6}, {1, 1, 1, nan, 2, 2});
  const Literal overlapping = Array(F32, {4}, {5, 5, 5, 5});
  const Literal source = Array(F32, {3}, {1, 10, 100});
  const WindowDimension apart = {.size = 2, .stride = 2}, over = {.size = 2};
  CHECK(Numbers(SelectAndScatter(ties, source, 0, {apart}, GreaterOrEqual)) ==
        std::vector<double>{1, 0, 0, 10, 100, 0});
  CHECK(Numbers(SelectAndScatter(ties, source, 0, {apart}, Greater)) == std::vector<double>{0, 1, 0, 10, 0, 100});
  CHECK(Numbers(SelectAndScatter(overlapping, source, 0, {over}, GreaterOrEqual)) ==
        std::vector<double>{1, 10, 100, 0});
  CHECK(Numbers(SelectAndScatter(overlapping, source, 0, {over}, Greater)) == std::vector<double>{0, 1, 10, 100});
}

TEST_CASE("select-and-scatter: padding is never selected, and a window of padding scatters nothing") {
  const Literal operand = Array(F32, {2}, {-5, -6});
  const Literal source = Array(F32, {6}, {1, 2, 4, 8, 16, 32});
  const WindowDimension window = {.size = 2, .padding_low = 3, .padding_high = 2};
  CHECK(Numbers(SelectAndScatter(operand, source, 100, {window}, GreaterOrEqual)) == std::vector<double>{112, 116});
}

TEST_CASE("select-and-scatter: the scattered sum is exact and counts the initial value once") {
  const Literal operand = Array(F32, {3}, {1, 9, 1});
  const Literal source = Array(F32, {3}, {0x1p60, 1, -0x1p60});
  const WindowDimension window = {.size = 3, .padding_low = 1, .padding_high = 1};
  CHECK(Numbers(SelectAndScatter(operand, source, 0.5, {window}, GreaterOrEqual)) ==
        std::vector<double>{0.5, 1.5, 0.5});
}

TEST_CASE("select-and-scatter: scalars and empty arrays") {
  CHECK(Numbers(SelectAndScatter(Array(F32, {}, {3}), Array(F32, {}, {4}), 1, {}, Greater)) == std::vector<double>{5});
  CHECK(Numbers(SelectAndScatter(Array(F32, {0}, {}), Array(F32, {2}, {1, 2}), 1, {{.padding_low = 2}}, Greater))
            .empty());
  CHECK(Numbers(SelectAndScatter(Array(F32, {2}, {1, 2}), Array(F32, {0}, {}), 7, {{.size = 3}}, Greater)) ==
        std::vector<double>{7, 7});
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
