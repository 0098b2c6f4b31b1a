// sort and topk (XLA, Operation Semantics: Sort).
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

#include "interpreter/types/limits.h"
#include "spec_tests/ops/graph.h"
#include "spec_tests/ops/index_formula.h"
#include "spec_tests/property.h"

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

TEST_CASE("sort: three operands by the first, as in XLA's documentation") {
  const std::vector<Literal> operands = {Array(F32, {2}, {3, 1}), Array(S32, {2}, {42, 50}),
                                         Array(F64, {2}, {-3, 1.1})};
  for (const auto& sorted : {Sort(operands, 0, {}), SortBy<float>(operands, 0, Less)}) {
    CHECK(Numbers(sorted[0]) == std::vector<double>{1, 3});
    CHECK(Numbers(sorted[1]) == std::vector<double>{50, 42});
    CHECK(Numbers(sorted[2]) == std::vector<double>{1.1, -3});
  }
}

TEST_CASE("sort: each column, or each row, by itself") {
  const Literal matrix = Array(F32, {2, 3}, {5, 1, 3, 4, 2, 0});
  for (const bool bulk : {false, true}) {
    const auto sorted = [&](std::int64_t d) {
      return Numbers((bulk ? SortBy<float>({matrix}, d, Less) : Sort({matrix}, d, {}))[0]);
    };
    CHECK(sorted(0) == std::vector<double>{4, 1, 0, 5, 2, 3});
    CHECK(sorted(1) == std::vector<double>{1, 3, 5, 0, 2, 4});
  }
}

// XLA:CPU, XLA's HloEvaluator and IREE agree.
TEST_CASE("sort: total order places NaNs by their sign and is stable") {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  const Literal keys = Array(F32, {10}, {nan, -0.0, 0, std::copysign(nan, -1), inf, -inf, 1, -1, -0.0, nan});
  const auto sorted = Sort({keys, Array(S32, {10}, Ascending(10))}, 0, {.type = "TOTALORDER"});
  CHECK(Numbers(sorted[1]) == std::vector<double>{3, 5, 7, 1, 8, 2, 6, 4, 0, 9});
}

TEST_CASE("sort: zeros are equal in IEEE's order, which keeps theirs") {
  const Literal keys = Array(F32, {4}, {0, -0.0, -1, 0});
  CHECK(Numbers(Sort({keys, Array(S32, {4}, Ascending(4))}, 0, {})[1]) == std::vector<double>{2, 0, 1, 3});
}

TEST_CASE("sort: descending, by swapped parameters, and by a later operand") {
  const Literal keys = Array(S8, {5}, {3, -128, 127, 3, 0}), numbers = Array(S32, {5}, Ascending(5));
  const std::vector<double> ascending = {1, 4, 0, 3, 2}, descending = {2, 0, 3, 4, 1};
  CHECK(Numbers(Sort({keys, numbers}, 0, {})[1]) == ascending);
  CHECK(Numbers(Sort({keys, numbers}, 0, {.direction = "GT"})[1]) == descending);
  CHECK(Numbers(Sort({keys, numbers}, 0, {.direction = "GT", .swapped = true})[1]) == ascending);
  CHECK(Numbers(Sort({keys, numbers}, 0, {.swapped = true})[1]) == descending);
  CHECK(Numbers(Sort({numbers, keys}, 0, {.key = 1})[0]) == ascending);
}

TEST_CASE("sort: integers by value, unsigned ones too") {
  const Literal words = LiteralUtil::Create<std::uint64_t>(U64, {3}, std::vector<std::uint64_t>{~0ull, 0, 1ull << 63});
  const Literal numbers = Array(S32, {3}, Ascending(3));
  CHECK(Numbers(Sort({words, numbers}, 0, {})[1]) == std::vector<double>{1, 2, 0});
  const Literal signed_words = LiteralUtil::Create<std::uint64_t>(S64, {3}, words.values<std::uint64_t>());
  CHECK(Numbers(Sort({signed_words, numbers}, 0, {})[1]) == std::vector<double>{2, 0, 1});
}

TEST_CASE("sort: nothing, one element, and rows of one") {
  CHECK(Sort({Array(F32, {0}, {})}, 0, {})[0].element_count() == 0);
  CHECK(Sort({Array(F32, {3, 0}, {})}, 0, {})[0].element_count() == 0);
  const Literal column = Array(F32, {3, 1}, {3, 2, 1});
  CHECK(Sort({column}, 1, {})[0].data() == column.data());
}

TEST_CASE("sort: both ways agree with a stable sort of each line") {
  Holds([] {
    const Dimensions sizes = AnyDimensions(InRange(1, 4), 0, 20);
    const auto dimension = InRange(0, sizes.size());
    Literal keys(ShapeUtil::MakeShape(F32, sizes)), numbers(ShapeUtil::MakeShape(S32, sizes));
    for (float& key : keys.mutable_values<float>()) key = static_cast<float>(InRange(-4, 4)) / 2;
    for (std::int64_t i = 0; i < numbers.element_count(); ++i) numbers.mutable_values<std::int32_t>()[i] = i;

    Literal expected = numbers;
    Dimensions lines = sizes;
    lines[dimension] = std::min<std::int64_t>(1, sizes[dimension]);
    for (std::int64_t l = 0; l < ShapeUtil::ElementsIn(ShapeUtil::MakeShape(PRED, lines)); ++l) {
      const Index line = IndexOf(l, lines);
      std::vector<std::int64_t> places;
      for (std::int64_t i = 0; i < sizes[dimension]; ++i) {
        Index at = line;
        at[dimension] = i;
        places.push_back(NumberOf(at, sizes));
      }
      std::vector<std::int64_t> order = places;
      std::ranges::stable_sort(order, {}, [&](std::int64_t place) { return keys.values<float>()[place]; });
      for (std::size_t i = 0; i < places.size(); ++i) {
        expected.mutable_values<std::int32_t>()[places[i]] = static_cast<std::int32_t>(order[i]);
      }
    }
    ENSURE(Sort({keys, numbers}, dimension, {})[1].BitwiseEqual(expected));
    ENSURE(SortBy<float>({keys, numbers}, dimension, Less)[1].BitwiseEqual(expected));
  });
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

TEST_CASE("sort: a million floats by any comparator") {
  const std::int64_t n = 1000003;
  CHECK(Numbers(SortBy<float>({Shuffled(n, 1)}, 0, Less)[0]) == Ascending(n));
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

// The expected values are XLA:CPU 0.10.2's.
TEST_CASE("topk: in total order, ties by the lower index") {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  const Literal all = Array(F32, {8}, {1, nan, -0.0, 0, std::copysign(nan, -1), inf, -inf, 1});
  CHECK(Numbers(TopK(all, 4, true)[1]) == std::vector<double>{1, 5, 0, 7});
  CHECK(Numbers(TopK(Array(F32, {5}, {1, nan, 3, 3, -inf}), 3, true)[1]) == std::vector<double>{1, 2, 3});
  CHECK(Numbers(TopK(all, 4, false)[1]) == std::vector<double>{4, 6, 2, 3});
  CHECK(Numbers(TopK(Array(F8E4M3FNUZ, {4}, {1, nan, -1, 0}), 4, true)[1]) == std::vector<double>{0, 3, 2, 1});
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

TEST_CASE("topk: each row of the last dimension, any type, any k") {
  const Literal rows = Array(S8, {2, 4}, {3, -1, 3, 7, -5, -6, -5, -7});
  const auto largest = TopK(rows, 2, true);
  CHECK(largest[0].BitwiseEqual(Array(S8, {2, 2}, {7, 3, -5, -5})));
  CHECK(largest[1].BitwiseEqual(Array(S32, {2, 2}, {3, 0, 0, 2})));
  CHECK(Numbers(TopK(Array(U8, {3}, {1, 255, 128}), 3, true)[0]) == std::vector<double>{255, 128, 1});
  CHECK(TopK(rows, 0, true)[0].shape().dimensions() == Dimensions{2, 0});
  CHECK(TopK(Array(F32, {0, 3}, {}), 2, true)[1].shape().dimensions() == Dimensions{0, 2});
}

}  // namespace
}  // namespace assay::testing
