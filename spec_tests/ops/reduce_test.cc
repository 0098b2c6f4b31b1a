// reduce (XLA, Operation Semantics: Reduce and Variadic Reduce).
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "interpreter/types/index_util.h"
#include "spec_tests/ops/exact_number.h"
#include "spec_tests/ops/graph.h"
#include "spec_tests/ops/scalar_functions.h"
#include "spec_tests/property.h"

namespace assay::testing {
namespace {

float SubtractFloats(float a, float b) { return a - b; }

// Evaluates reduce of one array by op, which `function` defines.
template <class T>
Literal Reduce(const Literal& operand, const Literal& init, Int64List dimensions, const Op& op, T (*function)(T, T)) {
  Graph g;
  HloComputation& reducer = g.Binary(op, operand.element_type());
  FakeEvaluation evaluation;
  evaluation.Define(reducer, function, &op);
  HloInstruction& reduce = g.Add(op_reduce, {&g.Parameter(operand.shape()), &g.Parameter(init.shape())},
                                 {{"dimensions", std::move(dimensions)}, {"to_apply", &reducer}});
  return Evaluate(reduce, {operand, init}, evaluation);
}

std::vector<double> SumOver(const Literal& operand, Int64List dimensions) {
  return Numbers(Reduce(operand, Array(F32, {}, {0}), std::move(dimensions), op_add, AddFloats));
}

TEST_CASE("reduce: a matrix along either dimension, as in XLA's documentation") {
  const Literal matrix = Array(F32, {2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(SumOver(matrix, {0}) == std::vector<double>{5, 7, 9});
  CHECK(SumOver(matrix, {1}) == std::vector<double>{6, 15});
  CHECK(SumOver(matrix, {}) == std::vector<double>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("reduce: a computation that adds sums exactly, though it has an instruction that nothing uses") {
  Graph g;
  HloComputation& reducer = g.Binary(op_add, F32);
  FakeEvaluation evaluation;
  evaluation.Define(reducer, AddFloats, nullptr);  // as for computations of more than three instructions
  HloInstruction& reduce = g.Add(op_reduce, {&g.Parameter(F32, {3}), &g.Parameter(F32, {})},
                                 {{"dimensions", Int64List{0}}, {"to_apply", &reducer}});
  const Literal result = Evaluate(reduce, {Array(F32, {3}, {0x1p24, 1, 1}), Array(F32, {}, {0})}, evaluation);
  CHECK(Numbers(result) == std::vector<double>{0x1p24 + 2});
}

TEST_CASE("reduce: an array of rank 3 along one, two and all dimensions, as in XLA's documentation") {
  std::vector<double> numbers;
  for (int i = 0; i < 24; ++i) numbers.push_back(i % 6 + 1);
  const Literal array = Array(F32, {4, 2, 3}, numbers);
  CHECK(SumOver(array, {0}) == std::vector<double>{4, 8, 12, 16, 20, 24});
  CHECK(SumOver(array, {2}) == std::vector<double>{6, 15, 6, 15, 6, 15, 6, 15});
  CHECK(SumOver(array, {0, 1}) == std::vector<double>{20, 28, 36});
  CHECK(SumOver(array, {0, 1, 2}) == std::vector<double>{84});
  CHECK(SumOver(array, {1, 0}) == std::vector<double>{20, 28, 36});
  CHECK(SumOver(array, {0, 2}) == std::vector<double>{24, 60});
}

TEST_CASE("reduce: the accumulator is the first parameter, and starts with the initial value") {
  const Literal numbers = Array(F32, {4}, {1, 2, 3, 4});
  CHECK(Numbers(Reduce(numbers, Array(F32, {}, {0}), {0}, op_subtract, SubtractFloats)) == std::vector<double>{-10});
  CHECK(Numbers(Reduce(numbers, Array(F32, {}, {100}), {0}, op_subtract, SubtractFloats)) == std::vector<double>{90});
}

TEST_CASE("reduce: the initial value counts once, and is the result of nothing") {
  const Literal ones = Array(F32, {100000}, std::vector<double>(100000, 1));
  CHECK(Numbers(Reduce(ones, Array(F32, {}, {1}), {0}, op_add, AddFloats)) == std::vector<double>{100001});
  const Literal empty = Array(F32, {0, 2}, {});
  CHECK(Numbers(Reduce(empty, Array(F32, {}, {7}), {0}, op_add, AddFloats)) == std::vector<double>{7, 7});
  CHECK(Numbers(Reduce(empty, Array(F32, {}, {7}), {0}, op_subtract, SubtractFloats)) == std::vector<double>{7, 7});
  CHECK(Numbers(Reduce(empty, Array(F32, {}, {7}), {0}, op_maximum, MaximumOfFloats)) == std::vector<double>{7, 7});
  CHECK(Numbers(Reduce(empty, Array(F32, {}, {7}), {1}, op_add, AddFloats)).empty());
  CHECK(Numbers(Reduce(empty, Array(F32, {}, {7}), {1}, op_subtract, SubtractFloats)).empty());
  const Literal scalar = Array(F32, {}, {3});
  CHECK(Numbers(Reduce(scalar, Array(F32, {}, {4}), {}, op_add, AddFloats)) == std::vector<double>{7});
}

TEST_CASE("reduce: floating sums are exact before they are rounded") {
  const Literal cancelling = Array(F32, {4}, {0x1p60, 1, -0x1p60, 0x1p-40});
  CHECK(SumOver(cancelling, {0}) == std::vector<double>{1});
  const float inf = std::numeric_limits<float>::infinity();
  CHECK(SumOver(Array(F32, {2}, {inf, 1}), {0}) == std::vector<double>{inf});
  CHECK(std::isnan(SumOver(Array(F32, {2}, {inf, -inf}), {0})[0]));
  // A sum that overflows and returns to the range.
  CHECK(SumOver(Array(F32, {3}, {0x1p127, 0x1p127, -0x1p127}), {0}) == std::vector<double>{0x1p127});
}

TEST_CASE("reduce: -0 is the sum of -0 with -0 only") {
  const Literal zeros = Array(F32, {2}, {-0.0, -0.0});
  CHECK(std::signbit(Numbers(Reduce(zeros, Array(F32, {}, {-0.0}), {0}, op_add, AddFloats))[0]));
  CHECK_FALSE(std::signbit(Numbers(Reduce(zeros, Array(F32, {}, {0.0}), {0}, op_add, AddFloats))[0]));
}

TEST_CASE("reduce: maximum returns NaN, wherever it is") {
  for (int place : {0, 1, 700, 8192}) {
    std::vector<double> numbers(8193, -1);
    numbers[place] = std::nan("");
    const Literal operand = Array(F32, {8193}, numbers);
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(std::isnan(Numbers(Reduce(operand, Array(F32, {}, {-infinity}), {0}, op_maximum, MaximumOfFloats))[0]));
    numbers[place] = 5;
    CHECK(Numbers(Reduce(Array(F32, {8193}, numbers), Array(F32, {}, {-infinity}), {0}, op_maximum,
                         MaximumOfFloats))[0] == 5);
  }
}

TEST_CASE("reduce: both parts of complex sums are exact") {
  Graph g;
  HloComputation& reducer = g.Binary(op_add, C64);
  FakeEvaluation evaluation;
  evaluation.Define(reducer, nullptr, &op_add);
  HloInstruction& reduce = g.Add(op_reduce, {&g.Parameter(C64, {3, 2}), &g.Parameter(C64, {})},
                                 {{"dimensions", Int64List{0}}, {"to_apply", &reducer}});
  const Literal operand = Array(C64, {3, 2}, {0x1p40, 1, 2, 3, 1, 0x1p40, 4, 5, -0x1p40, -0x1p40, 6, 7});
  const Literal init = Array(C64, {}, {10, 20});
  CHECK(Numbers(Evaluate(reduce, {operand, init}, evaluation)) == std::vector<double>{11, 21, 22, 35});
}

// The function of the specification's example: the greatest value and its index. Later ones win ties.
void ArgMax(std::span<const std::byte* const> in, std::span<std::byte* const> out, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    float max, value;
    std::int32_t argmax, index;
    std::memcpy(&max, in[0] + 4 * i, 4);
    std::memcpy(&argmax, in[1] + 4 * i, 4);
    std::memcpy(&value, in[2] + 4 * i, 4);
    std::memcpy(&index, in[3] + 4 * i, 4);
    if (value >= max) max = value, argmax = index;
    std::memcpy(out[0] + 4 * i, &max, 4);
    std::memcpy(out[1] + 4 * i, &argmax, 4);
  }
}

TEST_CASE("reduce: a maximum with its index, as in XLA's documentation") {
  Graph g;
  const Shape f32 = ShapeUtil::MakeScalarShape(F32), s32 = ShapeUtil::MakeScalarShape(S32);
  HloComputation& reducer = g.Computation(op_tuple, {f32, s32, f32, s32}, ShapeUtil::MakeTupleShape({f32, s32}));
  FakeEvaluation evaluation;
  evaluation.Define(reducer, ArgMax);
  HloInstruction& reduce = g.Add(
      op_reduce, {&g.Parameter(F32, {2, 4}), &g.Parameter(S32, {2, 4}), &g.Parameter(F32, {}), &g.Parameter(S32, {})},
      {{"dimensions", Int64List{1}}, {"to_apply", &reducer}});
  const double infinity = std::numeric_limits<double>::infinity();
  const Literal result =
      Evaluate(reduce,
               {Array(F32, {2, 4}, {1, 3, 3, 2, 7, 0, -1, 7}), Array(S32, {2, 4}, {0, 1, 2, 3, 0, 1, 2, 3}),
                Array(F32, {}, {-infinity}), Array(S32, {}, {0})},
               evaluation);
  CHECK(result.shape().ToStringWithoutLayout() == "(f32[2], s32[2])");
  CHECK(Numbers(result.elements()[0]) == std::vector<double>{3, 7});
  CHECK(Numbers(result.elements()[1]) == std::vector<double>{2, 3});
}

struct RandomReduction {
  Dimensions dimensions;
  Int64List reduced;
  std::vector<double> numbers;
};

RandomReduction AnyReduction(bool integers) {
  RandomReduction r;
  const auto rank = InRange(0, 5);
  for (int d = 0; d < rank; ++d) {
    r.dimensions.push_back(OneOf<std::int64_t>({0, 1, 1, 2, 3, 5, 17}));
    if (Flip()) r.reduced.push_back(d);
  }
  std::mt19937_64 random(AnyBits());
  for (std::int64_t i = 0; i < Product(r.dimensions); ++i) {
    const double number = static_cast<std::int32_t>(random());
    r.numbers.push_back(integers ? number : std::ldexp(static_cast<float>(number), static_cast<int>(random() % 60)));
  }
  return r;
}

// Calls visit(result index, operand offset) in row-major order over the operand.
template <class Visit>
void ForEachElement(const RandomReduction& r, Visit visit) {
  if (Product(r.dimensions) == 0) return;
  std::vector<std::int64_t> index(r.dimensions.size(), 0);
  std::int64_t offset = 0;
  do {
    std::int64_t result = 0;
    for (std::size_t d = 0; d < index.size(); ++d) {
      if (std::ranges::count(r.reduced, static_cast<std::int64_t>(d)) == 0) {
        result = result * r.dimensions[d] + index[d];
      }
    }
    visit(result, offset++);
  } while (IndexUtil::BumpIndices(r.dimensions, index));
}

TEST_CASE("reduce: any shape, any dimensions, against sums in MPFR") {
  Holds([] {
    const RandomReduction r = AnyReduction(/*integers=*/false);
    const Literal result =
        Reduce(Array(F32, r.dimensions, r.numbers), Array(F32, {}, {0.1}), r.reduced, op_add, AddFloats);
    std::vector<ExactNumber> expected(result.element_count());
    for (ExactNumber& sum : expected) sum.Add(0.1f);
    ForEachElement(r, [&](std::int64_t i, std::int64_t offset) { expected[i].Add(r.numbers[offset]); });
    const auto found = Numbers(result);
    for (std::size_t i = 0; i < found.size(); ++i) ENSURE(found[i] == expected[i].RoundTo(F32));
  });
}

TEST_CASE("reduce: any shape, any dimensions, in canonical order and in any order") {
  Holds([] {
    const RandomReduction r = AnyReduction(/*integers=*/true);
    const Literal operand = Array(S32, r.dimensions, r.numbers);
    const Literal init = Array(S32, {}, {3});
    const auto follow = [](std::int32_t a, std::int32_t b) -> std::int32_t {
      return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) * 31u + static_cast<std::uint32_t>(b));
    };
    const Literal followed = Reduce<std::int32_t>(operand, init, r.reduced, op_power, follow);
    const Literal added = Reduce(operand, init, r.reduced, op_add, AddIntegers);
    std::vector<std::int32_t> expected_followed(followed.element_count(), 3), expected_added = expected_followed;
    ForEachElement(r, [&](std::int64_t i, std::int64_t offset) {
      const auto value = operand.values<std::int32_t>()[offset];
      expected_followed[i] = follow(expected_followed[i], value);
      expected_added[i] = AddIntegers(expected_added[i], value);
    });
    for (std::size_t i = 0; i < expected_added.size(); ++i) {
      ENSURE(followed.values<std::int32_t>()[i] == expected_followed[i]);
      ENSURE(added.values<std::int32_t>()[i] == expected_added[i]);
    }
  });
}

TEST_CASE("reduce: many elements onto few by halves") {
  for (const std::int64_t n : {511, 512, 513, 1025, 100003}) {
    for (const std::int64_t lanes : {1, 3}) {
      Literal operand(ShapeUtil::MakeShape(S32, {n, lanes}));
      std::vector<std::uint32_t> expected(lanes, 5);
      std::mt19937 random(static_cast<unsigned>(n));
      for (std::int64_t i = 0; i < n * lanes; ++i) {
        operand.mutable_values<std::uint32_t>()[i] = random();
        expected[i % lanes] += operand.values<std::uint32_t>()[i];
      }
      const Literal result = Reduce(operand, Array(S32, {}, {5}), {0}, op_add, AddIntegers);
      for (std::int64_t i = 0; i < lanes; ++i) CHECK(result.values<std::uint32_t>()[i] == expected[i]);
    }
  }
}

}  // namespace
}  // namespace assay::testing
