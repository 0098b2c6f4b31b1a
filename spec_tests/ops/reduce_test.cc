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
