#include "interpreter/numerics/lane_sum.h"

#include <cmath>
#include <cstring>
#include <random>

#include "interpreter/numerics/sum_axis.h"
#include "spec_tests/catch.h"
#include "spec_tests/numerics/float_types.h"
#include "spec_tests/numerics/sum_oracle.h"
#include "spec_tests/special_numbers.h"

using namespace assay;

namespace {

using testing::FloatTypes, testing::kInfinity;

// An array of a type, with its elements as doubles.
struct Array {
  Array(PrimitiveType type, std::vector<double> numbers) : bytes(Store(type, numbers)), values(numbers) {
    LoadReals(type, bytes.data(), values.data(), static_cast<std::int64_t>(values.size()));
  }

  std::vector<std::byte> bytes;
  std::vector<double> values;
};

enum class Inputs { kNormal, kWide, kIntegers, kCancelling, kSpecial };

std::vector<double> RandomInputs(Inputs inputs, std::int64_t count, std::mt19937_64& bits) {
  std::normal_distribution<double> normal;
  std::vector<double> numbers(count);
  for (std::int64_t i = 0; i < count; ++i) {
    switch (inputs) {
      case Inputs::kNormal:
        numbers[i] = normal(bits);
        break;
      case Inputs::kWide:
        numbers[i] = std::ldexp(normal(bits), static_cast<int>(bits() % 300) - 150);
        break;
      case Inputs::kIntegers:
        numbers[i] = static_cast<double>(static_cast<int>(bits() % 9) - 4);
        break;
      case Inputs::kCancelling:
        numbers[i] = i % 2 == 0 || bits() % 50 == 0 ? std::ldexp(normal(bits), static_cast<int>(bits() % 100)) : 0;
        if (i % 2 == 1 && numbers[i] == 0) numbers[i] = -numbers[i - 1];
        break;
      case Inputs::kSpecial:
        numbers[i] = bits() % 200 == 0 ? kInfinity : bits() % 200 == 0 ? std::nan("") : bits() % 2 == 0 ? -0.0 : 1e38;
        break;
    }
  }
  return numbers;
}

std::vector<std::byte> Sum(PrimitiveType type, const Array& terms, std::int64_t outer, std::int64_t n,
                           std::int64_t inner, const Array& inits) {
  std::vector<std::byte> out(outer * inner * StorageBytes(type));
  SumAxis(type, terms.bytes.data(), outer, n, inner, inits.bytes.data(), static_cast<std::int64_t>(inits.values.size()),
          out.data());
  return out;
}

void CheckAgainstOracle(PrimitiveType type, const Array& terms, std::int64_t outer, std::int64_t n, std::int64_t inner,
                        const Array& inits) {
  const std::vector<std::byte> out = Sum(type, terms, outer, n, inner, inits);
  std::vector<double> got(outer * inner);
  LoadReals(type, out.data(), got.data(), outer * inner);
  std::int64_t wrong = 0;
  for (std::int64_t q = 0; q < outer * inner; ++q) {
    SumOracle oracle;
    oracle.Add(inits.values[q % inits.values.size()]);
    for (std::int64_t k = 0; k < n; ++k) oracle.Add(terms.values[(q / inner * n + k) * inner + q % inner]);
    REQUIRE(oracle.exact());
    if (!testing::SameNumber(got[q], oracle.RoundedTo(FloatFormatOf(type)))) ++wrong;
  }
  INFO(PrimitiveTypeName(type) << "[" << outer << "," << n << "," << inner << "]");
  CHECK(wrong == 0);
}

constexpr Inputs kAllInputs[] = {Inputs::kNormal, Inputs::kWide, Inputs::kIntegers, Inputs::kCancelling,
                                 Inputs::kSpecial};

}  // namespace

TEST_CASE("SumAxis: every type and kind of input, against MPFR") {
  std::mt19937_64 bits(3);
  for (const PrimitiveType type : FloatTypes()) {
    for (const Inputs inputs : kAllInputs) {
      const Array terms(type, RandomInputs(inputs, 3 * 40 * 5, bits));
      CheckAgainstOracle(type, terms, 3, 40, 5, Array(type, {1}));
    }
  }
}

TEST_CASE("SumAxis: shapes") {
  struct Dimensions {
    std::int64_t outer, n, inner;
  };
  // Few and many columns, short and long rows, one row that is shared between threads, and sums of nothing.
  constexpr Dimensions kDimensions[] = {{1, 5, 1},      {300, 7, 1}, {40, 3, 3},  {2, 600, 1},
                                        {3, 300, 2},    {2, 9, 64},  {1, 4, 700}, {1, 140000, 1},
                                        {1, 1000, 140}, {4, 0, 1},   {2, 0, 100}, {0, 3, 2}};
  std::mt19937_64 bits(4);
  for (const auto [outer, n, inner] : kDimensions) {
    for (const PrimitiveType type : {F64, F32, BF16}) {
      for (const Inputs inputs : {Inputs::kNormal, Inputs::kCancelling}) {
        const Array terms(type, RandomInputs(inputs, outer * n * inner, bits));
        CheckAgainstOracle(type, terms, outer, n, inner, Array(type, {-0.5}));
      }
    }
  }
}

// Sums of n terms: two large numbers, which double cannot add, with their opposites, and small ones, which twice the
// precision of double loses.
std::vector<double> TermsInDoubt(std::int64_t outer, std::int64_t n, std::int64_t inner, std::mt19937_64& bits) {
  std::normal_distribution<double> normal;
  std::vector<double> terms;
  for (std::int64_t i = 0; i < outer * n * inner; ++i) {
    const std::int64_t term = i / inner % n, sum = i / (inner * n) * inner + i % inner;
    const double large = (static_cast<double>(sum % 7) + 0.5) * 0x1p66;
    terms.push_back(term == 0       ? 0x1p120
                    : term == 1     ? large
                    : term == n - 2 ? -large
                    : term == n - 1 ? -0x1p120
                                    : normal(bits));
  }
  return terms;
}

TEST_CASE("LaneSums: sums that lose their small terms are left to the exact ones") {
  constexpr std::int64_t kLanes = 9, kCount = 12;
  std::mt19937_64 bits(8);
  for (const PrimitiveType type : {F64, F32, BF16}) {
    const Array terms(type, TermsInDoubt(1, kCount, kLanes, bits));
    LaneSums sums(kLanes);
    for (std::int64_t k = 0; k < kCount; ++k) sums.Add(terms.values.data() + k * kLanes);
    std::vector<std::byte> out(kLanes * StorageBytes(type));
    std::int64_t exact = 0;
    sums.Store(type, out.data(), [&](std::int64_t, ExactSum&) { ++exact; });
    CHECK(exact == kLanes);
  }
}

TEST_CASE("SumAxis: sums that approximations lose, of every shape") {
  struct Dimensions {
    std::int64_t outer, n, inner;
  };
  constexpr Dimensions kDimensions[] = {{1, 5, 1},  {300, 7, 1}, {40, 6, 3},     {2, 600, 1},   {3, 300, 2},
                                        {2, 9, 64}, {1, 6, 700}, {1, 140000, 1}, {1, 1000, 140}};
  std::mt19937_64 bits(9);
  for (const auto [outer, n, inner] : kDimensions) {
    for (const PrimitiveType type : {F64, F32, BF16}) {
      const Array terms(type, TermsInDoubt(outer, n, inner, bits));
      CheckAgainstOracle(type, terms, outer, n, inner, Array(type, {-0.5}));
      CheckAgainstOracle(type, terms, outer, n, inner, Array(type, RandomInputs(Inputs::kNormal, outer * inner, bits)));
    }
  }
}

TEST_CASE("SumAxis: initial values, one for each result or in turn") {
  std::mt19937_64 bits(5);
  for (const PrimitiveType type : {F64, F32, F16}) {
    const Array terms(type, RandomInputs(Inputs::kNormal, 6 * 10 * 4, bits));
    CheckAgainstOracle(type, terms, 6, 10, 4, Array(type, RandomInputs(Inputs::kWide, 24, bits)));
    CheckAgainstOracle(type, terms, 6, 10, 4, Array(type, {3, kInfinity}));
    CheckAgainstOracle(type, terms, 24, 10, 1, Array(type, {-0.0}));
  }
}

TEST_CASE("SumAxis: zeros keep the sign only if the initial value and all terms are -0") {
  const Array zeros(F32, {-0.0, -0.0, -0.0, 0.0, 1.0, -1.0});
  const auto signs = [&](double init) {
    const std::vector<std::byte> out = Sum(F32, zeros, 3, 2, 1, Array(F32, {init}));
    std::vector<bool> result;
    for (int i = 0; i < 3; ++i) {
      float value;
      std::memcpy(&value, &out[4 * i], 4);
      CHECK(value == 0);
      result.push_back(std::signbit(value));
    }
    return result;
  };
  CHECK(signs(-0.0) == std::vector<bool>{true, false, false});
  CHECK(signs(0.0) == std::vector<bool>{false, false, false});
}

TEST_CASE("SumAxis: a tie of f32 sums that double cannot see") {
  // 1 + 2^-24 is halfway between two floats; the added 2^-140 decides, and double loses it.
  const Array up(F32, {1, 0x1p-24, 0x1p-140});
  const Array down(F32, {1, 0x1p-24, -0x1p-140});
  CHECK(Sum(F32, up, 1, 3, 1, Array(F32, {0})) == Array(F32, {1 + 0x1p-23}).bytes);
  CHECK(Sum(F32, down, 1, 3, 1, Array(F32, {0})) == Array(F32, {1}).bytes);
}

TEST_CASE("LaneSums: the bound holds, and is zero where double is exact") {
  std::mt19937_64 bits(6);
  for (const Inputs inputs : {Inputs::kNormal, Inputs::kWide, Inputs::kIntegers, Inputs::kCancelling}) {
    constexpr std::int64_t kLanes = 37, kTerms = 200;
    LaneSums sums(kLanes);
    std::vector<SumOracle> oracles(kLanes);
    for (int k = 0; k < kTerms; ++k) {
      const std::vector<double> a = RandomInputs(inputs, kLanes, bits), b = RandomInputs(inputs, kLanes, bits);
      sums.AddProducts(a.data(), b.data());
      sums.AddProducts(a.data(), b.data(), 0, 1);
      sums.Add(b.data());
      for (std::int64_t i = 0; i < kLanes; ++i) {
        oracles[i].AddProduct(a[i], b[i]);
        oracles[i].AddProduct(a[0], b[i]);
        oracles[i].Add(b[i]);
      }
    }
    for (std::int64_t i = 0; i < kLanes; ++i) {
      const LaneSum sum = sums.lane(i);
      if (inputs == Inputs::kIntegers) {
        CHECK(sum.bound == 0);
        CHECK(testing::SameNumber(sum.high, oracles[i].RoundedTo(FloatFormatOf(F64))));
      }
      // The true sum minus high, low and the bound has the opposite sign.
      for (const double sign : {-1.0, 1.0}) {
        oracles[i].Add(-sum.high);
        oracles[i].Add(-sum.low);
        oracles[i].AddProduct(sign * 0x1p-53 * (1 + 0x1p-10), sum.bound);
        const double rest = oracles[i].RoundedTo(FloatFormatOf(F64));
        CHECK(rest * sign >= 0);
        oracles[i].Add(sum.high);
        oracles[i].Add(sum.low);
        oracles[i].AddProduct(-sign * 0x1p-53 * (1 + 0x1p-10), sum.bound);
      }
      REQUIRE(oracles[i].exact());
    }
  }
}

TEST_CASE("LaneSums: products that underflow, and sums that overflow on the way") {
  LaneSums sums(5);
  const double a[] = {0x1p-600, 0x1p-540, 1e200, 1e200, 0};
  const double b[] = {0x1p-600, 0x1.8p-534, 1e200, 1, 0x1p-1074};
  sums.AddProducts(a, b);
  const double c[] = {0x1p-600, 0x1p-1074, -1e200, 1, -0.0};
  const double d[] = {0x1p-600, 1, 1e200, 0x1p-1074, 1};
  sums.AddProducts(c, d);
  std::vector<std::int64_t> resummed;
  std::byte out[5 * 8];
  sums.Store(F64, out, [&](std::int64_t lane, ExactSum& sum) {
    resummed.push_back(lane);
    sum.AddProduct(a[lane], b[lane]);
    sum.AddProduct(c[lane], d[lane]);
  });
  double got[5];
  std::memcpy(got, out, sizeof(got));
  // 0x1.8p-1074 + 0x1p-1074 is the tie 2.5, which goes to 2.
  CHECK(got[0] == 0);
  CHECK(got[1] == 0x2p-1074);
  CHECK(testing::SameNumber(got[2], 0.0));
  CHECK(got[3] == 1e200);
  CHECK(testing::SameNumber(got[4], 0.0));
  CHECK(resummed == std::vector<std::int64_t>{0, 1, 2});
}

TEST_CASE("LaneSums: Clear, strides, AddTo and Merge") {
  LaneSums sums(3);
  const double terms[] = {1, 2, 3, 4, 5, 6};
  sums.Add(terms);
  sums.Clear();
  CHECK(std::signbit(sums.lane(0).high));
  sums.Add(terms, 2);
  sums.AddProducts(terms, terms, 1, 2);
  sums.AddProducts(terms + 5, terms, 0, 1);
  sums.AddTo(1, 100);
  CHECK(sums.lane(0).high == 1 + 1 + 6);
  CHECK(sums.lane(1).high == 3 + 2 * 3 + 12 + 100);
  CHECK(sums.lane(2).high == 5 + 3 * 5 + 18);
  LaneSums other(1);
  other.AddTo(0, 1);
  other.AddTo(0, 0x1p-60);
  sums.Merge(2, other.lane(0));
  CHECK(sums.lane(2).high == 39);
  CHECK(sums.lane(2).low == 0x1p-60);
  CHECK(sums.lane(2).bound >= 0x1p-60);
}

TEST_CASE("StoreCertain: intervals that do not decide") {
  const std::vector<double> lower = {1, 0x1.000001p0 - 0x1p-52, -0x1p-200, 1e30, kInfinity, -0.0, 0x1p-200, -1e39};
  const std::vector<double> upper = {1, 0x1.000001p0 + 0x1p-52, 0x1p-200, 1e30, kInfinity, -0.0, 0x1p-199, 1e39};
  std::vector<std::byte> out(lower.size() * 4);
  CHECK(StoreCertain(F32, lower, upper, out.data()) == std::vector<std::int64_t>{1, 2, 4, 7});
  // 0x80 is what every overflow gives in this format, of either sign.
  out.resize(lower.size());
  CHECK(StoreCertain(F8E4M3FNUZ, lower, upper, out.data()) == std::vector<std::int64_t>{2, 4, 7});
  CHECK(out[3] == std::byte{0x80});
}
