// Real functions against MPFR, by MPFR's or a search's rounding (rounding_reference.h), and special values by hand.
#include "interpreter/numerics/functions.h"

#include <bit>
#include <cmath>

#include "interpreter/numerics/certain.h"
#include "interpreter/numerics/round.h"
#include "spec_tests/nightly.h"
#include "spec_tests/numerics/function_reference.h"
#include "spec_tests/numerics/special_rows.h"

namespace assay {
namespace {

constexpr Phases kPhases[] = {Phases::kBoth, Phases::kExact};

std::vector<double> EveryValue(PrimitiveType type, std::uint64_t step = 1) {
  std::vector<double> values;
  const FloatFormat& format = FloatFormatOf(type);
  for (std::uint64_t code = 0; code < std::uint64_t{1} << format.bits(); code += step) {
    values.push_back(ToDouble(format, code));
  }
  return values;
}

std::vector<double> RandomReals(PrimitiveType type, int count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(RandomReal(type, random));
  return values;
}

TEST_CASE("An f32 block is certain unless a number may lie on either side of the middle between two floats") {
  const std::vector<double> certain = {
      1.0, -0.0, 0.0, INFINITY, 0x1p-149, 1 + 0x1p-24 - 0x1p-43, 1 + 0x1p-24 + 0x1p-43};
  std::vector<float> stored(certain.size());
  auto* out = reinterpret_cast<std::byte*>(stored.data());
  REQUIRE(StoreCertainF32(certain.data(), out, static_cast<std::int64_t>(certain.size())));
  for (std::size_t i = 0; i < certain.size(); ++i) {
    CHECK(std::bit_cast<std::uint32_t>(stored[i]) == std::bit_cast<std::uint32_t>(static_cast<float>(certain[i])));
  }
  // 2^-45 from the middle, in any place of a block: within the bound of 2^-44.
  for (const double doubtful : {1 + 0x1p-24, 1 + 0x1p-24 - 0x1p-45, -1 - 0x1p-24 - 0x1p-45, 0x1.8p-149}) {
    for (std::size_t i = 0; i < certain.size(); ++i) {
      std::vector<double> block = certain;
      block[i] = doubtful;
      CHECK_FALSE(StoreCertainF32(block.data(), out, static_cast<std::int64_t>(block.size())));
    }
  }
}

TEST_CASE("Unary functions of f16 and bf16 numbers") {
  const std::uint64_t step = testing::IsNightly("functions of every f16 and bf16 number") ? 1 : 11;
  for (const PrimitiveType type : {F16, BF16}) {
    const std::vector<double> operands = EveryValue(type, step);
    for (const UnaryCase& unary : UnaryCases()) {
      CAPTURE(PrimitiveTypeName(type), unary.name);
      CHECK(WrongResults(unary, type, operands) == 0);
    }
  }
}

TEST_CASE("Functions of every number of at most eight bits, in both phases") {
  for (const PrimitiveType type : ArrayTypes()) {
    if (!IsFloatingPointType(type) || BitWidth(type) > 8) continue;
    const std::vector<double> operands = EveryValue(type);
    std::vector<double> lhs;
    std::vector<double> rhs;
    for (const double a : operands) {
      for (std::size_t i = 0; i < operands.size(); i += operands.size() / 16 + 1) {
        lhs.push_back(a);
        rhs.push_back(operands[i]);
      }
    }
    for (const Phases phases : kPhases) {
      for (const UnaryCase& unary : UnaryCases()) {
        CAPTURE(PrimitiveTypeName(type), unary.name, phases);
        CHECK(WrongResults(unary, type, operands, phases) == 0);
      }
      for (const BinaryCase& binary : BinaryCases()) {
        CAPTURE(PrimitiveTypeName(type), binary.name, phases);
        CHECK(WrongResults(binary, type, lhs, rhs, phases) == 0);
      }
    }
  }
}

TEST_CASE("Functions of random numbers, in both phases") {
  struct Count {
    PrimitiveType type;
    int of_both;
    int of_exact;
  };
  const int part = testing::IsNightly("functions of ten thousand random numbers") ? 1 : 3;
  for (const Count& row : {Count{F32, 10000, 2000}, Count{F64, 2000, 1000}, Count{BF16, 0, 1000}}) {
    for (const Phases phases : kPhases) {
      const int count = (phases == Phases::kExact ? row.of_exact : row.of_both) / part;
      const std::vector<double> operands = RandomReals(row.type, count, 11);
      const std::vector<double> others = RandomReals(row.type, count, 12);
      for (const UnaryCase& unary : UnaryCases()) {
        CAPTURE(PrimitiveTypeName(row.type), unary.name, phases);
        CHECK(WrongResults(unary, row.type, operands, phases) == 0);
      }
      for (const BinaryCase& binary : BinaryCases()) {
        CAPTURE(PrimitiveTypeName(row.type), binary.name, phases);
        CHECK(WrongResults(binary, row.type, operands, others, phases) == 0);
      }
    }
  }
}

using testing::kInfinity, testing::kNan, testing::SameNumber;

double F64Of(Phases phases, const RealUnary& function, double operand) {
  double result = 0;
  Apply(phases, function, F64, reinterpret_cast<const std::byte*>(&operand), reinterpret_cast<std::byte*>(&result), 1);
  return result;
}

double F64Of(Phases phases, const RealBinary& function, double lhs, double rhs) {
  double result = 0;
  Apply(phases, function, F64, reinterpret_cast<const std::byte*>(&lhs), reinterpret_cast<const std::byte*>(&rhs),
        reinterpret_cast<std::byte*>(&result), 1);
  return result;
}

double F32Of(Phases phases, const RealUnary& function, double operand) {
  const auto narrow = static_cast<float>(operand);
  float result = 0;
  Apply(phases, function, F32, reinterpret_cast<const std::byte*>(&narrow), reinterpret_cast<std::byte*>(&result), 1);
  return result;
}

struct Specials {
  const RealUnary& function;
  std::string_view rows;  // operand and result
};

// C Annex F.10, and IEEE 754-2019 9.2.1 for rSqrt; the logistic function by its limits.
const Specials kSpecials[] = {
    {kExp, "inf = inf; -inf = 0; -0 = 1"},
    {kExpm1, "-0 = -0; -inf = -1; inf = inf"},
    {kLog, "0 = -inf; -0 = -inf; 1 = 0; -1 = nan; inf = inf"},
    {kLog1p, "-0 = -0; -1 = -inf; -2 = nan; inf = inf"},
    {kLogistic, "0 = 0.5; -inf = 0; inf = 1"},
    {kSqrt, "-0 = -0; -1 = nan; inf = inf"},
    {kRsqrt, "0 = inf; -0 = -inf; -1 = nan; inf = 0; 4 = 0.5"},
    {kCbrt, "-0 = -0; -8 = -2; -inf = -inf"},
    {kErf, "-0 = -0; inf = 1; -inf = -1"},
    {kSin, "-0 = -0; inf = nan"},
    {kCos, "-inf = nan; -0 = 1"},
    {kTan, "-0 = -0; inf = nan"},
    {kAsin, "-0 = -0; 1.5 = nan"},
    {kAcos, "1 = 0; -1 = pi; -1.5 = nan"},
    {kAtan, "-0 = -0; inf = pi/2"},
    {kSinh, "-0 = -0; -inf = -inf"},
    {kCosh, "-inf = inf"},
    {kTanh, "-0 = -0; -inf = -1"},
    {kAsinh, "-0 = -0; -inf = -inf"},
    {kAcosh, "1 = 0; 0.5 = nan; inf = inf"},
    {kAtanh, "-0 = -0; 1 = inf; -1 = -inf; 2 = nan"},
};

struct BinarySpecials {
  const RealBinary& function;
  std::string_view rows;  // operands and result
};

// C Annex F.10.1.4 and F.10.4.4.
const BinarySpecials kBinarySpecials[] = {
    {kPow,
     "nan 0 = 1; 1 nan = 1; 0 0 = 1; -8 0.3333333333333333 = nan; 0 -1 = inf; -0 -1 = -inf; -0 -2 = inf; -1 inf = 1; "
     "-2 3 = -8; 0 -inf = inf; -inf 3 = -inf; -inf -3 = -0; -0 0.5 = 0; -inf 0.5 = inf; inf -1 = 0; 0.5 -inf = inf; "
     "2 -1074 = 0x1p-1074; -0 3 = -0; nan 1 = nan; 2 -inf = 0"},
    {kAtan2,
     "0 0 = 0; 0 -0 = pi; -0 0 = -0; -0 -0 = -pi; 0 -1 = pi; -0 -1 = -pi; inf inf = pi/4; 1 -inf = pi; nan 1 = nan; "
     "1 0 = pi/2; -0 1 = -0; inf -inf = 0x1.2d97c7f3321d2p+1; -inf 1 = -pi/2"},
};

TEST_CASE("Special values are those of Annex F, in both phases") {
  for (const Phases phases : kPhases) {
    for (const auto& [function, rows] : kSpecials) {
      CHECK(std::isnan(F64Of(phases, function, kNan)));
      for (const auto& [operand, result] : testing::RowsOf<2>(rows)) {
        CAPTURE(phases, rows, operand, result, F64Of(phases, function, operand));
        CHECK(SameNumber(F64Of(phases, function, operand), result));
        CHECK(SameNumber(F32Of(phases, function, operand), static_cast<float>(result)));
      }
    }
    for (const auto& [function, rows] : kBinarySpecials) {
      for (const auto& [lhs, rhs, result] : testing::RowsOf<3>(rows)) {
        CAPTURE(phases, lhs, rhs, result, F64Of(phases, function, lhs, rhs));
        CHECK(SameNumber(F64Of(phases, function, lhs, rhs), result));
      }
    }
  }
}

TEST_CASE("Powers of negative numbers have the sign of a whole exponent, or are NaN") {
  std::mt19937_64 random(13);
  std::vector<double> bases;
  std::vector<double> exponents;
  for (int n = -60; n <= 60; ++n) {
    bases.insert(bases.end(), {-1 - std::ldexp(static_cast<double>(random() >> 12), -52), -0.75, -10, -3});
    exponents.insert(exponents.end(), {1.0 * n, 1.0 * n, n + 0.5, 2.0 * n + 1});
  }
  for (const double exponent : {0x1p52 + 1, 0x1p53 - 1, 0x1p53, -0x1p52 - 1, 0x1p60, 0x1p52 - 0.5}) {
    bases.insert(bases.end(), {-1 - 0x1p-52, -1 + 0x1p-53, -1, -2});
    exponents.insert(exponents.end(), 4, exponent);
  }
  for (const PrimitiveType type : {F64, F32, BF16}) {
    for (double& base : bases) base = ToDouble(FloatFormatOf(type), RoundDouble(FloatFormatOf(type), base));
    for (double& y : exponents) y = ToDouble(FloatFormatOf(type), RoundDouble(FloatFormatOf(type), y));
    CHECK(WrongResults(BinaryCases()[0], type, bases, exponents) == 0);
  }
}

TEST_CASE("An operation's NaN is its operand's, else the positive one") {
  const double payload = std::bit_cast<double>(std::uint64_t{0xfff8000000001234});
  const double signaling = std::bit_cast<double>(std::uint64_t{0x7ff0000000005678});
  for (const Phases phases : kPhases) {
    CHECK(std::bit_cast<std::uint64_t>(F64Of(phases, kSin, payload)) == 0xfff8000000001234);
    CHECK(std::bit_cast<std::uint64_t>(F64Of(phases, kSin, kInfinity)) == 0x7ff8000000000000);
    CHECK(std::bit_cast<std::uint64_t>(F64Of(phases, kLog, -1)) == 0x7ff8000000000000);
    CHECK(std::bit_cast<std::uint64_t>(F64Of(phases, kPow, 2, payload)) == 0xfff8000000001234);
    CHECK(std::bit_cast<std::uint64_t>(F64Of(phases, kPow, -2, 0.5)) == 0x7ff8000000000000);
    CHECK(std::bit_cast<std::uint64_t>(F64Of(phases, kSin, signaling)) == 0x7ff8000000005678);
    CHECK(std::bit_cast<std::uint64_t>(F64Of(phases, kAtan2, payload, signaling)) == 0xfff8000000001234);
    CHECK(std::bit_cast<std::uint64_t>(F64Of(phases, kAtan2, signaling, payload)) == 0x7ff8000000005678);
  }
}

TEST_CASE("An array may be overwritten by its own function") {
  std::vector<double> values(1000);
  for (int i = 0; i < 1000; ++i) values[i] = 0.01 * i;
  std::vector<double> expected;
  for (const double value : values) expected.push_back(F64Of(Phases::kBoth, kSqrt, value));
  Apply(kSqrt, F64, reinterpret_cast<const std::byte*>(values.data()), reinterpret_cast<std::byte*>(values.data()),
        1000);
  CHECK(values == expected);
}

}  // namespace
}  // namespace assay
