// Values belong to their class, shapes and windows have edge cases, and all choices are the same on every machine.
#include "fuzz/generate/values.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "fuzz/generate/shapes.h"
#include "fuzz/generate/windows.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/index_util.h"
#include "spec_tests/catch.h"

namespace assay::testing {
using namespace generate;
namespace {

std::vector<double> Numbers(const Literal& literal) {
  std::vector<double> numbers(literal.element_count());
  LoadReals(literal.element_type(), literal.data(), numbers.data(), literal.element_count());
  return numbers;
}

std::vector<double> Draw(std::uint64_t seed, PrimitiveType type, EdgeClass edge_class, std::int64_t count = 200) {
  Random random(seed);
  return Numbers(DrawValue(random, ShapeUtil::MakeShape(type, {count}), edge_class));
}

std::vector<std::int64_t> DrawInts(std::uint64_t seed, PrimitiveType type, EdgeClass edge_class,
                                   std::int64_t count = 200) {
  Random random(seed);
  const Literal literal = DrawValue(random, ShapeUtil::MakeShape(type, {count}), edge_class);
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < count; ++i) numbers.push_back(literal.IntegerAt(i));
  return numbers;
}

template <class T, class Predicate>
std::ptrdiff_t Count(const std::vector<T>& numbers, Predicate predicate) {
  return std::ranges::count_if(numbers, predicate);
}

// The first numbers of SplitMix64 for the seed 0, and the choices made from them.
TEST_CASE("choices follow SplitMix64", "[generate]") {
  Random random(0);
  CHECK(random.Bits() == 0xe220a8397b1dcdaf);
  CHECK(random.Bits() == 0x6e789e6aa1b965f4);
  Random again(0);
  CHECK(again.Below(16) == 0xe);
  CHECK(again.Between(-8, 7) == -2);
  CHECK(Random(0).Unit() == static_cast<double>(0xe220a8397b1dcdaf >> 11) * 0x1p-53);
}

TEST_CASE("normal numbers have mean 0 and deviation 1", "[generate]") {
  Random random(1);
  double sum = 0, squares = 0;
  constexpr int kCount = 20'000;
  for (int i = 0; i < kCount; ++i) {
    const double x = random.Normal();
    sum += x;
    squares += x * x;
  }
  CHECK(std::fabs(sum / kCount) < 0.03);
  CHECK(std::fabs(squares / kCount - 1) < 0.05);
}

TEST_CASE("some of n are different, and all of n are a permutation", "[generate]") {
  Random random(2);
  std::set<std::vector<std::int64_t>> permutations;
  for (int i = 0; i < 300; ++i) {
    permutations.insert(random.Permutation(4));
    const auto some = random.SortedSome(3, 7);
    CHECK((some.size() == 3 && some[0] < some[1] && some[1] < some[2] && some[0] >= 0 && some[2] < 7));
  }
  CHECK(permutations.size() == 24);
}

TEST_CASE("every class has a name, and values of every type", "[generate]") {
  std::set<std::string_view> names;
  Random random(3);
  for (const EdgeClass edge_class : AllEdgeClasses()) {
    CHECK(names.insert(EdgeClassName(edge_class)).second);
    for (const PrimitiveType type : ArrayTypes()) {
      const Shape shape =
          ShapeUtil::MakeTupleShape({ShapeUtil::MakeShape(type, {3, 4}), ShapeUtil::MakeShape(S32, {})});
      const Literal value = DrawValue(random, shape, edge_class);
      CHECK(ShapeUtil::Compatible(value.shape(), shape));
      // The integers of types below a byte are within the range of the type.
      if (!IsIntegralType(type) || BitWidth(type) >= 8) continue;
      for (std::int64_t i = 0; i < 12; ++i) {
        const std::int64_t number = value.elements()[0].IntegerAt(i), ends = std::int64_t{1} << BitWidth(type);
        CHECK((number >= (IsSignedIntegralType(type) ? -ends / 2 : 0)));
        CHECK((number < (IsSignedIntegralType(type) ? ends / 2 : ends)));
      }
    }
  }
  CHECK(names.size() == 17);
}

TEST_CASE("real numbers are spread as their class says", "[generate]") {
  const auto magnitude_below = [](double limit) { return [=](double x) { return std::fabs(x) < limit; }; };
  const auto specials = Draw(1, F32, EdgeClass::kSpecials);
  CHECK(Count(specials, [](double x) { return std::isnan(x); }) > 0);
  CHECK(Count(specials, [](double x) { return std::isinf(x); }) > 0);
  CHECK(Count(specials, [](double x) { return x == 0 && std::signbit(x); }) > 0);
  CHECK(Count(specials, [](double x) { return x == 0x1p-149; }) > 0);
  CHECK(Count(specials, [](double x) { return x == 0x1.fffffep127; }) > 0);
  CHECK(Count(Draw(1, F32, EdgeClass::kTiny), magnitude_below(0x1p-126)) > 20);
  CHECK(Count(Draw(1, F32, EdgeClass::kHuge), magnitude_below(0x1p100)) < 5);
  CHECK(Count(Draw(1, F32, EdgeClass::kPositive), [](double x) { return x >= 1 && x <= 2; }) == 200);
  CHECK(Count(Draw(1, F32, EdgeClass::kSmallIntegers),
              [](double x) { return x == std::nearbyint(x) && std::fabs(x) <= 8; }) == 200);
  const auto has_half_of_the_bits = [](double x) {
    return std::fmod(std::ldexp(x, 12), std::exp2(std::ilogb(x))) == 0;
  };
  CHECK(Count(Draw(1, F32, EdgeClass::kShort), has_half_of_the_bits) == 200);
  CHECK(Count(Draw(1, F32, EdgeClass::kNormal), has_half_of_the_bits) < 10);
  CHECK(Count(Draw(1, F32, EdgeClass::kSparse), [](double x) { return x == 0; }) > 60);
  const auto dominated = Draw(1, F64, EdgeClass::kDominated);
  CHECK(std::fabs(*std::ranges::max_element(dominated)) > 16);
  CHECK(Count(dominated, magnitude_below(4)) > 90);
  const auto cancelling = Draw(1, F64, EdgeClass::kCancelling);
  for (std::size_t i = 0; i < cancelling.size(); i += 2) {
    CHECK(std::fabs(cancelling[i] + cancelling[i + 1]) <= std::fabs(cancelling[i]) * 0x1p-10);
  }
  const auto wide = Draw(4, F64, EdgeClass::kWide);
  CHECK(std::fabs(*std::ranges::max_element(wide)) /
            std::fabs(*std::ranges::min_element(wide, {}, [](double x) { return std::fabs(x); })) >
        100);
}

TEST_CASE("ties lie halfway between numbers of a narrower type", "[generate]") {
  int ties = 0;
  const FloatFormat& narrow = FloatFormatOf(BF16);
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    for (const double x : Draw(seed, F32, EdgeClass::kTies)) {
      const double below = std::ldexp(std::floor(std::ldexp(std::fabs(x), 7 - std::ilogb(x))), std::ilogb(x) - 7);
      const double ulp = std::ldexp(1, std::ilogb(x) - narrow.mantissa_bits);
      ties += std::fabs(x) - below == ulp / 2 ? 1 : 0;
    }
  }
  CHECK(ties > 50);
}

TEST_CASE("constants are constant, sorted values sorted, distinct ones distinct", "[generate]") {
  int descending = 0;
  for (std::uint64_t seed = 1; seed < 30; ++seed) {
    for (const PrimitiveType type : {S32, U64, S8}) {
      const auto constant = DrawInts(seed, type, EdgeClass::kConstant);
      CHECK(std::set(constant.begin(), constant.end()).size() == 1);
      auto distinct = DrawInts(seed, type, EdgeClass::kDistinct);
      CHECK(std::set(distinct.begin(), distinct.end()).size() == 200);
    }
    auto sorted = DrawInts(seed, S8, EdgeClass::kSorted);
    CHECK((std::ranges::is_sorted(sorted) || std::ranges::is_sorted(sorted, std::greater<>())));
    descending += sorted.front() > sorted.back() ? 1 : 0;
    const auto reals = Draw(seed, F16, EdgeClass::kDistinct);
    CHECK(Count(reals, [](double x) { return !std::isfinite(x); }) == 0);
    CHECK(std::set(reals.begin(), reals.end()).size() >= 199);  // zeros are equal
  }
  CHECK((descending > 3 && descending < 27));
}

TEST_CASE("integers come from the ends of their range", "[generate]") {
  const auto specials = DrawInts(1, S32, EdgeClass::kSpecials);
  for (const std::int64_t end : {std::int64_t{INT32_MIN}, std::int64_t{INT32_MAX}, std::int64_t{0}, std::int64_t{-1}}) {
    CHECK(Count(specials, [&](std::int64_t n) { return n == end; }) > 0);
  }
  CHECK(Count(DrawInts(1, S64, EdgeClass::kBoundaries),
              [](std::int64_t n) { return n == 127 || n == 128 || n == 256; }) > 0);
  CHECK(Count(DrawInts(1, U8, EdgeClass::kSmallIntegers), [](std::int64_t n) { return n > 8; }) == 0);
}

TEST_CASE("indices lie inside, at the ends and outside", "[generate]") {
  Random random(6);
  const std::int64_t limits[] = {5, 100};
  const Literal indices = DrawIndices(random, ShapeUtil::MakeShape(S32, {400, 2}), limits, 1);
  std::int64_t inside = 0, last = 0, outside = 0;
  for (std::int64_t i = 0; i < indices.element_count(); ++i) {
    const std::int64_t index = indices.IntegerAt(i), limit = limits[i % 2];
    inside += index >= 0 && index < limit ? 1 : 0;
    last += index == limit - 1 ? 1 : 0;
    outside += index == -1 || index == limit || index == INT32_MAX ? 1 : 0;
  }
  CHECK((inside > 600 && inside < 780));
  CHECK(last > 30);
  CHECK(outside > 20);
  const Literal bounded = DrawIntegers(random, ShapeUtil::MakeShape(U8, {50}), 2, 4);
  for (std::int64_t i = 0; i < 50; ++i) CHECK((bounded.IntegerAt(i) >= 2 && bounded.IntegerAt(i) <= 4));
}

TEST_CASE("positive definite matrices are Hermitian with a positive diagonal", "[generate]") {
  Random random(8);
  const Literal matrices = DrawPositiveDefinite(random, ShapeUtil::MakeShape(F64, {2, 3, 3}));
  const auto a = matrices.values<double>();
  for (int m = 0; m < 2; ++m) {
    for (int i = 0; i < 3; ++i) {
      CHECK(a[9 * m + 4 * i] >= 1);
      for (int j = 0; j < 3; ++j) CHECK(a[9 * m + 3 * i + j] == Approx(a[9 * m + 3 * j + i]));
    }
  }
}

TEST_CASE("shapes are small, of all ranks, with sizes 0 and 1", "[generate]") {
  Random random(9);
  std::set<std::size_t> ranks;
  int zeros = 0, ones = 0;
  for (int i = 0; i < 2000; ++i) {
    const Dimensions dimensions = DrawDimensions(random, {.least_rank = 0, .most_rank = 4, .most_elements = 50});
    CHECK(Product(dimensions) <= 50);
    ranks.insert(dimensions.size());
    zeros += std::ranges::count(dimensions, 0) > 0 ? 1 : 0;
    ones += std::ranges::count(dimensions, 1) > 0 ? 1 : 0;
    const Dimensions regrouped = DrawRegrouped(random, dimensions, 4);
    CHECK(Product(regrouped) == Product(dimensions));
    CHECK(regrouped.size() <= 4);
  }
  CHECK(ranks.size() == 5);
  CHECK((zeros > 50 && zeros < 500));
  CHECK(ones > 400);
}

TEST_CASE("windows have all that windows can have", "[generate]") {
  Random random(10);
  int with_positions = 0;
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const Dimensions base = {random.Between(0, 7)};
    const Window window = DrawWindow(random, base);
    const WindowDimension& w = window.dimensions[0];
    CHECK((w.size >= 1 && w.stride >= 1 && w.base_dilation >= 1 && w.window_dilation >= 1));
    if (w.padding_low < 0) seen.insert("cut in front");
    if (w.padding_high < 0) seen.insert("cut behind");
    if (w.padding_low > 0) seen.insert("padded");
    if (w.stride > 1) seen.insert("strided");
    if (w.base_dilation > 1) seen.insert("base dilated");
    if (w.window_dilation > 1 && w.size > 1) seen.insert("window dilated");
    if (w.window_reversal) seen.insert("reversed");
    with_positions += WindowPositions(window, base)[0] > 0 ? 1 : 0;
    const PaddingConfig padding = DrawPadding(random, base);
    if (padding[0].edge_padding_low < 0) seen.insert("array cut");
    if (padding[0].interior_padding > 0) seen.insert("array stretched");
    const std::int64_t stretched = base[0] + std::max<std::int64_t>(0, base[0] - 1) * padding[0].interior_padding;
    CHECK(stretched + padding[0].edge_padding_low + padding[0].edge_padding_high >= 0);
  }
  CHECK(seen.size() == 9);
  CHECK((with_positions > 600 && with_positions < 1000));
}

}  // namespace
}  // namespace assay::testing
