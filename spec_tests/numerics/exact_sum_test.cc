#include "interpreter/numerics/exact_sum.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <utility>

#include "spec_tests/catch.h"
#include "spec_tests/numerics/float_types.h"
#include "spec_tests/numerics/sum_oracle.h"
#include "spec_tests/property.h"
#include "spec_tests/special_numbers.h"

using namespace assay;
using namespace assay::testing;

namespace {

using testing::FloatTypes, testing::kInfinity, testing::kNan;

using Products = std::vector<std::pair<double, double>>;

double SumOf(const std::vector<double>& terms, PrimitiveType type = F64) {
  ExactSum sum;
  for (const double term : terms) sum.Add(term);
  return ToDouble(FloatFormatOf(type), sum.RoundTo(FloatFormatOf(type)));
}

double SumOfProducts(const Products& products, PrimitiveType type = F64) {
  ExactSum sum;
  for (const auto& [a, b] : products) sum.AddProduct(a, b);
  return ToDouble(FloatFormatOf(type), sum.RoundTo(FloatFormatOf(type)));
}

bool IsZero(double value, bool negative) { return value == 0 && std::signbit(value) == negative; }

// Any finite double, every exponent as likely as any other.
double RandomDouble(std::mt19937_64& bits, int least_biased = 0, int greatest_biased = 2046) {
  const std::uint64_t biased = std::uniform_int_distribution<std::uint64_t>(least_biased, greatest_biased)(bits);
  const std::uint64_t random = bits();
  return std::bit_cast<double>((random & 0x800FFFFFFFFFFFFF) | biased << 52);
}

}  // namespace

TEST_CASE("ExactSum: terms that cancel leave the small ones") {
  CHECK(SumOf({1e308, 1, -1e308}) == 1);
  CHECK(SumOf({1e100, 1, -1e100, 1e-300, -1}) == 1e-300);
  CHECK(SumOf({0x1p1023, 0x1p1023, 0x1p1023, -0x1p1023, -0x1p1023, 0x1p-1074, -0x1p1023}) == 0x1p-1074);
  CHECK(SumOf({0x1p-1074, 0x1p-1074, 0x1p-1074}) == 0x3p-1074);
  CHECK(SumOfProducts({{1e200, 1e200}, {3, 4}, {-1e200, 1e200}}) == 12);
  CHECK(SumOfProducts({{1e-200, 1e-200}, {1e-200, 1e-200}}) == 0);
  CHECK(SumOfProducts({{0x1p-1074, 0x1p-1074}, {0x1p-1074, -0x1p-1074}, {5, 1}}) == 5);
}

TEST_CASE("ExactSum: the least bit decides a tie") {
  const double half_place = 0x1p-53;
  CHECK(SumOf({1, half_place}) == 1);
  CHECK(SumOf({1, half_place, 0x1p-1074}) == 1 + 0x1p-52);
  CHECK(SumOf({1, half_place, -0x1p-1074}) == 1);
  CHECK(SumOf({1 + 0x1p-52, half_place}) == 1 + 0x1p-51);
  CHECK(SumOf({-1, -half_place, -0x1p-1074}) == -1 - 0x1p-52);
  CHECK(SumOfProducts({{1, 1}, {half_place, 1}, {0x1p-1074, 0x1p-1074}}) == 1 + 0x1p-52);
  CHECK(SumOfProducts({{1, 1}, {half_place, 1}, {0x1p-1074, -0x1p-1074}}) == 1);
  // 2^-1075 is half of the least subnormal: a tie that goes to zero, until something is added.
  CHECK(IsZero(SumOfProducts({{-0x1p-1074, 0.5}}), true));
  CHECK(SumOfProducts({{0x1p-1074, 0.5}, {0x1p-1000, 0x1p-1000}}) == 0x1p-1074);
}

TEST_CASE("ExactSum: overflow is decided by the whole sum") {
  const double greatest = std::numeric_limits<double>::max();
  CHECK(SumOf({greatest, greatest, -greatest}) == greatest);
  CHECK(SumOf({greatest, 0x1p969}) == greatest);
  CHECK(SumOf({greatest, 0x1p970}) == kInfinity);
  CHECK(SumOf({greatest, 0x1p970, -0x1p-1074}) == greatest);
  CHECK(SumOf({-greatest, -0x1p970}) == -kInfinity);
  CHECK(SumOf({65504, 15.9}, F16) == 65504);
  CHECK(SumOf({65504, 16}, F16) == kInfinity);
  CHECK(SumOf({448, 15}, F8E4M3FN) == 448);
  CHECK(std::isnan(SumOf({448, 32}, F8E4M3FN)));
  CHECK(SumOf({448, 448, -448, -440}, F8E4M3FN) == 8);
}

TEST_CASE("ExactSum: special values") {
  CHECK(SumOf({kInfinity, 1, -1e308}) == kInfinity);
  CHECK(SumOf({1, -kInfinity, -kInfinity}) == -kInfinity);
  CHECK(std::isnan(SumOf({kInfinity, -kInfinity})));
  CHECK(std::isnan(SumOf({1, kNan})));
  CHECK(std::isnan(SumOf({kNan, kInfinity})));
  CHECK(SumOfProducts({{kInfinity, -2}, {1, 1}}) == -kInfinity);
  CHECK(SumOfProducts({{-2, -kInfinity}}) == kInfinity);
  CHECK(std::isnan(SumOfProducts({{0, kInfinity}})));
  CHECK(std::isnan(SumOfProducts({{kInfinity, -0.0}, {1, 1}})));
  CHECK(std::isnan(SumOfProducts({{kNan, 0}})));
  CHECK(std::isnan(SumOfProducts({{kInfinity, 1}, {kInfinity, -1}})));
}

TEST_CASE("ExactSum: a zero is negative only if every term is") {
  CHECK(IsZero(SumOf({}), false));
  CHECK(IsZero(SumOf({-0.0}), true));
  CHECK(IsZero(SumOf({-0.0, -0.0}), true));
  CHECK(IsZero(SumOf({-0.0, 0.0}), false));
  CHECK(IsZero(SumOf({1, -1}), false));
  CHECK(IsZero(SumOf({-0.0, 1, -1}), false));
  CHECK(IsZero(SumOfProducts({{-0.0, 5}, {3, -0.0}}), true));
  CHECK(IsZero(SumOfProducts({{-0.0, 5}, {-0.0, -0.0}}), false));
}

TEST_CASE("ExactSum: Clear and Merge") {
  ExactSum left, right;
  left.Add(1e300);
  left.Add(kInfinity);
  left.Clear();
  left.Add(-0.0);
  CHECK(std::bit_cast<double>(left.RoundTo(FloatFormatOf(F64))) == 0);
  CHECK(std::signbit(std::bit_cast<double>(left.RoundTo(FloatFormatOf(F64)))));
  left.Add(-1e300);
  left.Add(3);
  right.AddProduct(1e150, 1e150);
  right.AddProduct(-1e150, 1e150);
  right.Add(1e300);
  left.Merge(right);
  CHECK(std::bit_cast<double>(left.RoundTo(FloatFormatOf(F64))) == 3);
  right.Clear();
  right.Add(kInfinity);
  left.Merge(right);
  CHECK(std::bit_cast<double>(left.RoundTo(FloatFormatOf(F64))) == kInfinity);
  std::byte out[2];
  right.Store(BF16, out);
  CHECK(out[0] == std::byte{0x80});
  CHECK(out[1] == std::byte{0x7F});
}

TEST_CASE("ExactSum: products over all exponents, every type, against MPFR") {
  std::mt19937_64 bits(1);
  for (int round = 0; round < 300; ++round) {
    // Alternately over the whole range, and where the result is representable in the narrow types.
    const int least = round % 2 == 0 ? 0 : 1015, greatest = round % 2 == 0 ? 2046 : 1026;
    ExactSum sum;
    SumOracle oracle;
    for (int i = 0; i < 1 + round % 40; ++i) {
      const double a = RandomDouble(bits, least, greatest), b = RandomDouble(bits, least, greatest);
      sum.AddProduct(a, b);
      oracle.AddProduct(a, b);
    }
    for (const PrimitiveType type : FloatTypes()) {
      const FloatFormat& format = FloatFormatOf(type);
      INFO(PrimitiveTypeName(type) << " round " << round);
      CHECK(SameNumber(ToDouble(format, sum.RoundTo(format)), oracle.RoundedTo(format)));
    }
    REQUIRE(oracle.exact());
  }
}

TEST_CASE("ExactSum: condition numbers up to 1e300, against mpfr_sum") {
  std::mt19937_64 bits(2);
  for (int spread = 10; spread <= 1000; spread += 10) {
    std::vector<double> terms;
    for (int i = 0; i < 100; ++i) terms.push_back(RandomDouble(bits, 1023 - spread, 1023 + spread));
    for (int i = 0; i < 90; ++i) terms.push_back(-terms[i]);
    std::shuffle(terms.begin(), terms.end(), bits);

    std::vector<__mpfr_struct> numbers(terms.size());
    std::vector<mpfr_ptr> pointers;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      mpfr_init2(&numbers[i], 53);
      mpfr_set_d(&numbers[i], terms[i], MPFR_RNDN);
      pointers.push_back(&numbers[i]);
    }
    mpfr_t expected;
    mpfr_init2(expected, 53);
    mpfr_sum(expected, pointers.data(), pointers.size(), MPFR_RNDN);
    CHECK(SumOf(terms) == mpfr_get_d(expected, MPFR_RNDN));
    mpfr_clear(expected);
    for (mpfr_ptr number : pointers) mpfr_clear(number);
  }
}

TEST_CASE("ExactSum: the order and the grouping of the terms do not matter") {
  Holds([] {
    std::vector<double> terms;
    for (std::int64_t i = 0, count = InRange(0, 100); i < count; ++i) {
      // RapidCheck likes small integers; as patterns those are subnormals. Every third term gets any exponent.
      const double term = std::bit_cast<double>(AnyBits() * (i % 3 == 0 ? 0x9E3779B97F4A7C15 : 1));
      terms.push_back(std::isfinite(term) ? term : 1.0);
    }
    const double forward = SumOf(terms);
    std::mt19937_64 bits(AnyBits());
    std::shuffle(terms.begin(), terms.end(), bits);
    ENSURE(SameNumber(SumOf(terms), forward));

    ExactSum left, right;
    const auto cut = static_cast<std::size_t>(InRange(0, 100));
    for (std::size_t i = 0; i < terms.size(); ++i) (i < cut ? left : right).Add(terms[i]);
    left.Merge(right);
    ENSURE(SameNumber(std::bit_cast<double>(left.RoundTo(FloatFormatOf(F64))), forward));
  });
}

TEST_CASE("ExactSum: carries over many additions") {
  ExactSum sum;
  for (int i = 0; i < 3'000'000; ++i) sum.Add(0x1.FFFFFFFFFFFFFp0);
  sum.Add(-6e6);
  CHECK(std::bit_cast<double>(sum.RoundTo(FloatFormatOf(F64))) == -3e6 * 0x1p-52);
  // Doubling by Merge exceeds every carry that single additions could reach.
  ExactSum greatest;
  greatest.AddProduct(std::numeric_limits<double>::max(), std::numeric_limits<double>::max());
  for (int i = 0; i < 62; ++i) greatest.Merge(ExactSum(greatest));
  greatest.Add(1);
  ExactSum opposite;
  opposite.AddProduct(std::numeric_limits<double>::max(), -std::numeric_limits<double>::max());
  for (int i = 0; i < 62; ++i) opposite.Merge(ExactSum(opposite));
  CHECK(std::bit_cast<double>(greatest.RoundTo(FloatFormatOf(F64))) == kInfinity);
  CHECK(std::bit_cast<double>(opposite.RoundTo(FloatFormatOf(F64))) == -kInfinity);
  greatest.Merge(opposite);
  CHECK(std::bit_cast<double>(greatest.RoundTo(FloatFormatOf(F64))) == 1);
}
