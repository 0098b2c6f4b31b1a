// sort and topk (XLA, Operation Semantics: Sort).
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

#include "interpreter/types/limits.h"
#include "spec_tests/ops/graph.h"

namespace assay::testing {
namespace {

struct Comparator {
  std::string direction = "LT";
  std::string type = "";
  int key = 0;           // the compared operand
  bool swapped = false;  // parameter 2 key + 1 is on the left
};

// Evaluates a sort whose comparator is one `compare`, or `less` if that is given.
std::vector<Literal> Sort(const std::vector<Literal>& operands, std::int64_t dimension, const Comparator& compare,
                          SpelledFunction::Body less = {}) {
  Graph g;
  std::vector<Shape> scalars;
  std::vector<HloInstruction*> parameters;
  for (const Literal& operand : operands) {
    scalars.insert(scalars.end(), 2, ShapeUtil::MakeScalarShape(operand.element_type()));
    parameters.push_back(&g.Parameter(operand.shape()));
  }
  HloComputation& comparator = g.Computation(op_compare, scalars, ShapeUtil::MakeScalarShape(PRED));
  HloInstruction* left = comparator.instructions[2 * compare.key].get();
  HloInstruction* right = comparator.instructions[2 * compare.key + 1].get();
  comparator.root->operands = compare.swapped ? std::vector{right, left} : std::vector{left, right};
  comparator.root->Set("direction", compare.direction);
  if (!compare.type.empty()) comparator.root->Set("type", compare.type);
  if (!less) {
    const std::size_t first = 2 * compare.key;
    less = [kernel = op_compare.evaluation.kernel(*comparator.root), first, swapped = compare.swapped](
               std::span<const std::byte* const> in, std::span<std::byte* const> out, std::int64_t n) {
      const std::byte* pair[] = {in[first], in[first + 1]};
      if (swapped) std::swap(pair[0], pair[1]);
      kernel(pair, out[0], n);
    };
  }
  FakeEvaluation evaluation;
  evaluation.Define(comparator, std::move(less), &op_compare);
  HloInstruction& sort = g.Add(op_sort, parameters, {{"dimensions", Int64List{dimension}}, {"to_apply", &comparator}});
  const Literal result = Evaluate(sort, operands, evaluation);
  return operands.size() == 1 ? std::vector{result} : result.elements();
}

// Evaluates a sort with a comparator that is not a single compare, so that the called computation is evaluated.
template <class T>
std::vector<Literal> SortBy(const std::vector<Literal>& operands, std::int64_t dimension, bool (*less)(T, T)) {
  // A direction that is not strict never uses the fast path for keys.
  return Sort(operands, dimension, {.direction = "LE"},
              [less](std::span<const std::byte* const> in, std::span<std::byte* const> out, std::int64_t n) {
                for (std::int64_t i = 0; i < n; ++i) {
                  T a, b;
                  std::memcpy(&a, in[0] + i * sizeof(T), sizeof(T));
                  std::memcpy(&b, in[1] + i * sizeof(T), sizeof(T));
                  out[0][i] = std::byte{less(a, b)};
                }
              });
}

bool Less(float a, float b) { return a < b; }

std::vector<double> Ascending(std::int64_t n) {
  std::vector<double> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

// Returns 0, 1, ..., n - 1, shuffled by a multiplication, with every number `copies` times.
Literal Shuffled(std::int64_t n, std::int64_t copies) {
  std::vector<double> numbers(n);
  for (std::int64_t i = 0; i < n; ++i) numbers[i] = static_cast<double>(i * 48271 % n / copies);
  return Array(F32, {n}, numbers);
}

TEST_CASE("sort: long lines, in bulk and by keys, and their ties in order") {
  for (const std::int64_t n : {255, 256, 257, 511, 1000, 4099, 100003}) {
    const Literal keys = Shuffled(n, 3), numbers = Array(S32, {n}, Ascending(n));
    std::vector<double> expected = Ascending(n);
    const std::vector<double> values = Numbers(keys);
    std::ranges::stable_sort(expected, {}, [&](double i) { return values[static_cast<std::size_t>(i)]; });
    CHECK(Numbers(SortBy<float>({keys, numbers}, 0, Less)[1]) == expected);
    CHECK(Numbers(Sort({keys, numbers}, 0, {})[1]) == expected);
  }
}

TEST_CASE("sort: a comparator without an order still permutes, always alike") {
  for (bool (*less)(float, float) : {+[](float, float) { return true; }, +[](float, float) { return false; },
                                     +[](float a, float b) { return std::fmod(a * 7 + b * 13, 3) == 1; }}) {
    const std::int64_t n = 3000;
    const Literal keys = Shuffled(n, 1);
    const Literal sorted = SortBy<float>({keys}, 0, less)[0];
    CHECK(sorted.BitwiseEqual(SortBy<float>({keys}, 0, less)[0]));
    std::vector<double> elements = Numbers(sorted);
    std::ranges::sort(elements);
    CHECK(elements == Ascending(n));
  }
}

TEST_CASE("sort, topk: definitions of one long line end when the time is up") {
  const Literal line = Array(S32, {1000}, Ascending(1000));
  Graph g;
  HloComputation& comparator =
      g.Computation(op_compare, std::vector(2, ShapeUtil::MakeScalarShape(S32)), ShapeUtil::MakeScalarShape(PRED));
  HloInstruction& parameter = g.Parameter(line.shape());
  HloInstruction& sort = g.Add(op_sort, {&parameter}, {{"dimensions", Int64List{0}}, {"to_apply", &comparator}});
  sort.shape = line.shape();
  HloInstruction& topk = g.Add(op_topk, {&parameter}, {{"k", std::int64_t{1}}});
  topk.shape = *op_topk.legality.infer(topk);
  FakeEvaluation evaluation;
  evaluation.Define<std::int32_t, bool>(comparator, [](std::int32_t a, std::int32_t b) { return a < b; });
  const TimeLimit limit(1e-9);
  for (const HloInstruction* instruction : {&sort, &topk}) {
    std::vector<Literal> operands = {line};
    CHECK_THROWS_AS(instruction->op->evaluation.evaluate(*instruction, operands, evaluation), EvaluationError);
  }
}

TEST_CASE("sort: NaN keys in IEEE's order permute") {
  const double nan = std::nan("");
  const auto less = [](std::span<const std::byte* const> in, std::span<std::byte* const> out, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
      float a, b;
      std::memcpy(&a, in[0] + 4 * i, 4), std::memcpy(&b, in[1] + 4 * i, 4);
      out[0][i] = std::byte{a < b};
    }
  };
  const auto sorted = Sort({Array(F32, {5}, {2, nan, 1, nan, 0}), Array(S32, {5}, Ascending(5))}, 0, {}, less);
  std::vector<double> numbers = Numbers(sorted[1]);
  std::ranges::sort(numbers);
  CHECK(numbers == Ascending(5));
}

std::vector<Literal> TopK(const Literal& operand, std::int64_t k, bool largest) {
  Graph g;
  return Evaluate(g.Add(op_topk, {&g.Parameter(operand.shape())}, {{"k", k}, {"largest", largest}}), {operand})
      .elements();
}

TEST_CASE("topk: rows that are much longer than k") {
  constexpr int kSize = 5000;
  const std::vector<double> ascending = Ascending(kSize), descending(ascending.rbegin(), ascending.rend());
  // Each element is larger than all before it, or smaller.
  for (const bool largest : {true, false}) {
    const auto found = TopK(Array(F32, {kSize}, largest ? ascending : descending), 3, largest);
    CHECK(Numbers(found[1]) == std::vector<double>{kSize - 1, kSize - 2, kSize - 3});
  }
  // Elements at the ends of the order far behind others, and ties with the last one found.
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  std::vector<double> elements(kSize, -0.0);
  elements[1000] = elements[4999] = nan, elements[2000] = inf, elements[3001] = elements[3000] = 0;
  const Literal row = Array(F64, {kSize}, elements);
  CHECK(Numbers(TopK(row, 7, true)[1]) == std::vector<double>{1000, 4999, 2000, 3000, 3001, 0, 1});
  elements[4100] = std::copysign(nan, -1), elements[4000] = elements[4900] = -1;
  CHECK(Numbers(TopK(Array(BF16, {kSize}, elements), 5, false)[1]) == std::vector<double>{4100, 4000, 4900, 0, 1});
}

}  // namespace
}  // namespace assay::testing
