// reduce-window (XLA, Operation Semantics: ReduceWindow).
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "spec_tests/ops/any_window.h"
#include "spec_tests/ops/exact_number.h"
#include "spec_tests/ops/graph.h"
#include "spec_tests/ops/scalar_functions.h"
#include "spec_tests/property.h"
#include "spec_tests/special_numbers.h"

namespace assay::testing {
namespace {

using Evaluator = Literal (&)(HloInstruction&, std::vector<Literal>, Evaluation&);

std::int32_t Follow(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) * 31u + static_cast<std::uint32_t>(b));
}

template <class T>
Literal ReduceWindow(const Literal& operand, double init, std::vector<WindowDimension> window, const Op& op,
                     T (*function)(T, T), Evaluator evaluate = Evaluate) {
  Graph g;
  const PrimitiveType type = operand.element_type();
  HloComputation& reducer = g.Binary(op, type);
  FakeEvaluation evaluation;
  evaluation.Define(reducer, function, &op);
  HloInstruction& instruction = g.Add(op_reduce_window, {&g.Parameter(operand.shape()), &g.Parameter(type, {})},
                                      {{"window", Window{std::move(window)}}, {"to_apply", &reducer}});
  return evaluate(instruction, {operand, Array(type, {}, {init})}, evaluation);
}

std::vector<double> Sums(std::vector<double> numbers, double init, WindowDimension window,
                         Evaluator evaluate = Evaluate) {
  const auto size = static_cast<std::int64_t>(numbers.size());
  return Numbers(ReduceWindow(Array(F32, {size}, numbers), init, {window}, op_add, AddFloats, evaluate));
}

TEST_CASE("reduce-window: a computation that adds sums exactly, though it has an instruction that nothing uses") {
  Graph g;
  HloComputation& reducer = g.Binary(op_add, F32);
  FakeEvaluation evaluation;
  evaluation.Define(reducer, AddFloats, nullptr);  // as for computations of more than three instructions
  HloInstruction& instruction = g.Add(op_reduce_window, {&g.Parameter(F32, {4}), &g.Parameter(F32, {})},
                                      {{"window", Window{{{.size = 3}}}}, {"to_apply", &reducer}});
  const Literal result = Evaluate(instruction, {Array(F32, {4}, {0x1p24, 1, 1, 1}), Array(F32, {}, {0})}, evaluation);
  CHECK(Numbers(result) == std::vector<double>{0x1p24 + 2, 3});
}

TEST_CASE("reduce-window: any window, against sums in MPFR") {
  Holds([] {
    const WindowedBase w = AnyWindowedBase(3);
    const bool is_complex = Flip();
    const int parts = is_complex ? 2 : 1;
    const std::vector<double> numbers = AnyNumbers(Product(w.base) * parts);
    std::vector<ExactNumber> expected(Product(w.positions) * parts);
    for (ExactNumber& sum : expected) sum.Add(0.25);
    ForEachElementUnder(w, [&](std::int64_t position, std::int64_t element) {
      for (int p = 0; p < parts; ++p) expected[position * parts + p].Add(numbers[element * parts + p]);
    });
    Graph g;
    const PrimitiveType type = is_complex ? C64 : F32;
    HloComputation& reducer = g.Binary(op_add, type);
    FakeEvaluation evaluation;
    evaluation.Define(reducer, nullptr, &op_add);
    HloInstruction& instruction = g.Add(op_reduce_window, {&g.Parameter(type, w.base), &g.Parameter(type, {})},
                                        {{"window", w.window}, {"to_apply", &reducer}});
    const Literal operand = Array(type, w.base, numbers);
    const Literal init = Array(type, {}, std::vector<double>(parts, 0.25));
    const std::vector<double> found = Numbers(Evaluate(instruction, {operand, init}, evaluation));
    ENSURE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) ENSURE(found[i] == expected[i].RoundTo(F32));
  });
}

TEST_CASE("reduce-window: any window, any computation, in canonical order") {
  Holds([] {
    const WindowedBase w = AnyWindowedBase(4);
    const Literal operand = Array(S32, w.base, AnyIntegers(Product(w.base), 1000));
    const Literal result = ReduceWindow<std::int32_t>(operand, 7, w.window.dimensions, op_power, Follow);
    std::vector<std::int32_t> expected(Product(w.positions), 7);
    ForEachElementUnder(w, [&](std::int64_t position, std::int64_t element) {
      expected[position] = Follow(expected[position], operand.values<std::int32_t>()[element]);
    });
    const auto found = result.values<std::int32_t>();
    ENSURE(std::vector<std::int32_t>(found.begin(), found.end()) == expected);
  });
}

TEST_CASE("reduce-window: more positions than one block") {
  const Dimensions base = {3, 300, 40};
  std::vector<double> numbers;
  std::mt19937 random(5);
  for (std::int64_t i = 0; i < Product(base); ++i) numbers.push_back(static_cast<int>(random() % 2001) - 1000);
  const WindowedBase w = {.base = base,
                          .window = {{{}, {.size = 3, .stride = 2, .padding_low = 1}, {.size = 2}}},
                          .positions = {3, 150, 39}};
  std::vector<double> sums(Product(w.positions), 0);
  std::vector<std::int32_t> follows(Product(w.positions), 0);
  ForEachElementUnder(w, [&](std::int64_t position, std::int64_t element) {
    sums[position] += numbers[element];
    follows[position] = Follow(follows[position], static_cast<std::int32_t>(numbers[element]));
  });
  CHECK(Numbers(ReduceWindow(Array(F32, base, numbers), 0, w.window.dimensions, op_add, AddFloats)) == sums);
  const Literal followed =
      ReduceWindow<std::int32_t>(Array(S32, base, numbers), 0, w.window.dimensions, op_power, Follow);
  const auto found = followed.values<std::int32_t>();
  CHECK(std::vector<std::int32_t>(found.begin(), found.end()) == follows);
}

// A long window that slides: terms enter and leave, including NaN, infinities and zeros.
TEST_CASE("reduce-window: long windows, with infinities and NaN") {
  constexpr std::int64_t kSize = 150, kBase = 700;
  std::mt19937_64 random(9);
  for (const bool with_specials : {false, true}) {
    for (const std::int64_t base_dilation : {1, 2}) {
      std::vector<double> numbers;
      for (std::int64_t i = 0; i < kBase * 2; ++i) {
        numbers.push_back(std::ldexp(static_cast<float>(static_cast<std::int32_t>(random())), random() % 50));
      }
      if (with_specials) {
        numbers[100] = kInfinity;
        numbers[150] = -kInfinity;
        numbers[1000] = std::nan("");
        for (std::int64_t i = 400; i < 800; ++i) numbers[i] = -0.0;
        numbers[600] = 0.0;
      }
      WindowedBase w = {
          .base = {kBase, 2},
          .window = {{{.size = kSize, .stride = 3, .padding_low = 149, .base_dilation = base_dilation}, {}}},
          .positions = {(DilatedBase({.base_dilation = base_dilation}, kBase) + 149 - kSize) / 3 + 1, 2}};
      std::vector<ExactNumber> expected(Product(w.positions));
      for (ExactNumber& sum : expected) sum.Add(-0.0);
      ForEachElementUnder(
          w, [&](std::int64_t position, std::int64_t element) { expected[position].Add(numbers[element]); });
      const auto found =
          Numbers(ReduceWindow(Array(F32, w.base, numbers), -0.0, w.window.dimensions, op_add, AddFloats));
      REQUIRE(found.size() == expected.size());
      int wrong = 0;
      for (std::size_t i = 0; i < found.size(); ++i) {
        const double value = expected[i].RoundTo(F32);
        const bool same = std::isnan(value) ? std::isnan(found[i])
                                            : found[i] == value && std::signbit(found[i]) == std::signbit(value);
        wrong += same ? 0 : 1;
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("reduce-window: a cumulative sum of many numbers") {
  constexpr std::int64_t kCount = 100000;
  std::vector<double> numbers(kCount), expected(kCount);
  double sum = 0;
  for (std::int64_t i = 0; i < kCount; ++i) {
    numbers[i] = i % 7 - 3;
    expected[i] = sum += numbers[i];
  }
  CHECK(Sums(numbers, 0, {.size = kCount, .padding_low = kCount - 1}, EvaluateByKernel) == expected);
}

}  // namespace
}  // namespace assay::testing
