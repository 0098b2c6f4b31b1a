// Element-wise ops on floats: special values by hand from the specification and IEEE 754-2019; f32, f64, bf16 and f16
// against MPFR, rounded once.
#include <mpfr.h>

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>

#include "spec_tests/ops/kernel.h"
#include "spec_tests/special_numbers.h"

namespace assay::testing {
namespace {

// True for equal numbers with zeros of equal sign, and for NaN where NaN is expected.
bool Same(const std::vector<double>& got, const std::vector<double>& want) {
  if (got.size() != want.size()) return false;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const bool same =
        std::isnan(want[i]) ? std::isnan(got[i]) : got[i] == want[i] && std::signbit(got[i]) == std::signbit(want[i]);
    if (!same) {
      UNSCOPED_INFO("element " << i << ": got " << got[i] << ", want " << want[i]);
      return false;
    }
  }
  return true;
}

std::vector<double> Compute(const Op& op, PrimitiveType type, const std::vector<std::vector<double>>& operands) {
  std::vector<Literal> literals;
  for (const auto& operand : operands) literals.push_back(Reals(type, operand));
  return Numbers(RunOp(op, literals));
}

constexpr PrimitiveType kIeeeTypes[] = {F64, F32, F16, BF16, F8E5M2};

TEST_CASE("maximum and minimum give NaN for NaN and tell the zeros apart") {
  const std::vector<double> lhs = {kNan, 1, -0.0, 0, kNan, kInfinity, 1, -kInfinity};
  const std::vector<double> rhs = {1, kNan, 0, -0.0, kNan, kNan, 2, 3};
  for (const PrimitiveType type : kIeeeTypes) {
    CHECK(Same(Compute(op_maximum, type, {lhs, rhs}), {kNan, kNan, 0, 0, kNan, kNan, 2, 3}));
    CHECK(Same(Compute(op_minimum, type, {lhs, rhs}), {kNan, kNan, -0.0, -0.0, kNan, kNan, 1, -kInfinity}));
  }
}

// XLA, Operation Semantics: Clamp is min(max(low, x), high). It does not order complex numbers; JAX and StableHLO
// define the order as lexicographic.
TEST_CASE("clamp of complex numbers goes by the real parts, then by the imaginary ones") {
  const auto inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  using C = std::complex<float>;
  const auto clamp = [](const std::vector<C>& low, const std::vector<C>& x, const std::vector<C>& high) {
    const auto literal = [](const std::vector<C>& v) {
      return LiteralUtil::Create<C>(C64, {static_cast<std::int64_t>(v.size())}, v);
    };
    const Literal result = RunOp(op_clamp, {literal(low), literal(x), literal(high)});
    std::vector<double> parts;
    for (const C z : result.values<C>()) {
      parts.insert(parts.end(), {z.real(), z.imag()});
    }
    return parts;
  };
  const std::vector<C> low(5, C(0, 5)), high(5, C(2, 0));
  CHECK(Same(clamp(low, {{-1, 9}, {1, -9}, {0, 4}, {2, 1}, {inf, 0}}, high), {0, 5, 1, -9, 0, 5, 2, 0, 2, 0}));
  // The upper bound has priority. Zeros are equal, and of equal ones +0 is the maximum, -0 the minimum.
  CHECK(Same(clamp({{2, 0}, {-0.F, 5}, {0, -0.F}, {-1, 0}}, {{0, 0}, {0, 1}, {-0.F, 0}, {0, 0}},
                   {{1, 5}, {1, 0}, {1, 0}, {0, -0.F}}),
             {1, 5, -0.0, 5, 0, 0, 0, -0.0}));
  // The first operand with a NaN part.
  CHECK(Same(clamp({{0, 0}, {nan, 1}, {0, 0}}, {{1, nan}, {nan, 2}, {1, 1}}, {{2, 2}, {2, 2}, {3, nan}}),
             {1, kNan, kNan, 1, 3, kNan}));
}

TEST_CASE("clamp gives NaN when any operand is NaN, and the upper bound when the bounds are crossed") {
  const std::vector<double> min = {5, 0, kNan, 0, 0, -0.0, 5, 5};
  const std::vector<double> x = {3, kNan, 0.5, 0.5, -0.0, 0, 9, 0};
  const std::vector<double> max = {1, 1, 1, kNan, 1, 0, 1, 1};
  for (const PrimitiveType type : kIeeeTypes) {
    CHECK(Same(Compute(op_clamp, type, {min, x, max}), {1, kNan, kNan, kNan, 0, 0, 1, 1}));
  }
}

TEST_CASE("sign keeps zeros and NaN") {
  for (const PrimitiveType type : kIeeeTypes) {
    CHECK(Same(Compute(op_sign, type, {{-0.0, 0, kNan, kInfinity, -3, 0x1p-16}}), {-0.0, 0, kNan, 1, -1, 1}));
  }
  CHECK(Same(Compute(op_sign, F32, {{0x1p-149, -0x1p-149}}), {1, -1}));
}

TEST_CASE("Rounding to whole numbers") {
  const std::vector<double> x = {0.5,     1.5,  2.5,  -0.5,      -1.5, -2.5, 0x1.fffffep-2, -0x1.fffffep-2,
                                 8388609, -0.0, kNan, kInfinity, -0.2};
  CHECK(Same(Compute(op_round_nearest_afz, F32, {x}),
             {1, 2, 3, -1, -2, -3, 0, -0.0, 8388609, -0.0, kNan, kInfinity, -0.0}));
  CHECK(Same(Compute(op_round_nearest_even, F32, {x}),
             {0, 2, 2, -0.0, -2, -2, 0, -0.0, 8388609, -0.0, kNan, kInfinity, -0.0}));
  CHECK(Same(Compute(op_round_nearest_afz, F64, {{0x1.fffffffffffffp-2, 0x1.0000000000001p52}}),
             {0, 0x1.0000000000001p52}));
  CHECK(Same(Compute(op_round_nearest_afz, BF16, {{0.5, 2.5, -2.5}}), {1, 3, -3}));
  CHECK(Same(Compute(op_ceil, F16, {{-0.5, -0.0, 0.5, 0x1p-24}}), {-0.0, -0.0, 1, 1}));
  CHECK(Same(Compute(op_floor, F16, {{-0.5, -0.0, 0.5, -0x1p-24}}), {-1, -0.0, 0, -1}));
}

TEST_CASE("The remainder of floats has the sign of the dividend and is exact") {
  const std::vector<double> lhs = {5, -5, 5, -5, kInfinity, 5, -5, 5, 0, -6, -0.0, kNan, 0x1.93e594p99};
  const std::vector<double> rhs = {3, 3, -3, -3, 2, kInfinity, -kInfinity, 0, 0, 3, 3, 1, 3};
  CHECK(Same(Compute(op_remainder, F32, {lhs, rhs}),
             {2, -2, 2, -2, kNan, 5, -5, kNan, kNan, -0.0, -0.0, kNan, std::fmod(0x1.93e594p99, 3)}));
  // 2^k mod 3 is 1 for even k and 2 for odd k.
  CHECK(Same(Compute(op_remainder, F64, {{0x1p1000, 0x1p1001, 1}, {3, 3, 0x1p-1074}}), {1, 2, 0}));
  CHECK(Same(Compute(op_remainder, F32, {{5.5, 0x1p127}, {0x1.8p-148, 0x1.8p-148}}), {0x1p-148, 0x1p-149}));
}

TEST_CASE("Division and square root of special values") {
  CHECK(Same(Compute(op_divide, F32, {{1, -1, 0, 1, kInfinity, 1}, {0, 0, 0, -0.0, kInfinity, 0x1p-149}}),
             {kInfinity, -kInfinity, kNan, -kInfinity, kNan, kInfinity}));
  CHECK(Same(Compute(op_sqrt, F32, {{-0.0, -1, kInfinity, 0x1p-148}}), {-0.0, kNan, kInfinity, 0x1p-74}));
}

TEST_CASE("Subnormal numbers are neither flushed on the way in nor on the way out") {
  for (const PrimitiveType type : {F32, F64, F16, BF16}) {
    const double least = type == F64 ? 0x1p-1074 : type == F32 ? 0x1p-149 : type == F16 ? 0x1p-24 : 0x1p-133;
    CHECK(Same(Compute(op_add, type, {{least, least}, {0, least}}), {least, 2 * least}));
    CHECK(Same(Compute(op_multiply, type, {{2 * least, least}, {0.5, 0.5}}), {least, 0}));
    CHECK(Same(Compute(op_multiply, type, {{3 * least}, {0.5}}), {2 * least}));
    CHECK(Same(Compute(op_negate, type, {{least}}), {-least}));
    CHECK(Same(Compute(op_maximum, type, {{least}, {0}}), {least}));
  }
}

TEST_CASE("is-finite") {
  CHECK(ToIntegers(RunOp(op_is_finite, {Reals(F32, {kInfinity, kNan, 1, -kInfinity, -0.0})})) ==
        std::vector<std::int64_t>{0, 0, 1, 0, 1});
  // 448 is the largest number of f8e4m3fn, which has no infinity.
  CHECK(ToIntegers(RunOp(op_is_finite, {FromBits(F8E4M3FN, {0x7e, 0x7f, 0xff})})) ==
        std::vector<std::int64_t>{1, 0, 0});
}

TEST_CASE("An operation returns the first operand that is NaN") {
  const auto bits = [](const Op& op, std::uint64_t a, std::uint64_t b) {
    return ToBits(RunOp(op, {FromBits(F32, {a}), FromBits(F32, {b})}))[0];
  };
  const std::uint64_t one = 0x3f800000, infinity = 0x7f800000;
  CHECK(bits(op_add, 0x7f800001, one) == 0x7fc00001);         // quieted
  CHECK(bits(op_add, one, 0xffc12345) == 0xffc12345);         // sign and payload stay
  CHECK(bits(op_add, 0x7fc00001, 0xffc00002) == 0x7fc00001);  // the first of two
  CHECK(bits(op_maximum, 0xffc00002, 0x7fc00001) == 0xffc00002);
  CHECK(bits(op_subtract, infinity, infinity) == 0x7fc00000);  // an invalid operation: positive, no payload
  CHECK(bits(op_multiply, 0, infinity) == 0x7fc00000);
  CHECK(bits(op_divide, 0, 0) == 0x7fc00000);
  CHECK(ToBits(RunOp(op_sqrt, {FromBits(F32, {0xbf800000})}))[0] == 0x7fc00000);
  CHECK(ToBits(RunOp(op_divide, {FromBits(F64, {0}), FromBits(F64, {0})}))[0] == 0x7ff8000000000000);
  CHECK(ToBits(RunOp(op_negate, {FromBits(F32, {0x7fc00123})}))[0] == 0xffc00123);
  CHECK(ToBits(RunOp(op_abs, {FromBits(F32, {0xffc00123})}))[0] == 0x7fc00123);
  CHECK(ToBits(RunOp(op_subtract, {FromBits(BF16, {0x7f80}), FromBits(BF16, {0x7f80})}))[0] == 0x7fc0);
}

// Returns the exact result of an op, rounded by MPFR to the format: precision, exponent range, gradual underflow.
double RoundedByMpfr(const Op& op, PrimitiveType type, double a, double b) {
  const bool is_double = type == F64;
  const int precision = is_double ? 53 : type == F32 ? 24 : type == F16 ? 11 : 8;
  const int max_exponent = is_double ? 1024 : type == F16 ? 16 : 128;
  const int min_exponent = is_double ? -1073 : type == F32 ? -148 : type == F16 ? -23 : -132;
  const mpfr_exp_t saved_min = mpfr_get_emin();
  const mpfr_exp_t saved_max = mpfr_get_emax();
  mpfr_t x, y, result;
  mpfr_inits2(64, x, y, nullptr);
  mpfr_init2(result, precision);
  mpfr_set_d(x, a, MPFR_RNDN);
  mpfr_set_d(y, b, MPFR_RNDN);
  mpfr_set_emin(min_exponent);
  mpfr_set_emax(max_exponent);
  int ternary = &op == &op_add        ? mpfr_add(result, x, y, MPFR_RNDN)
                : &op == &op_subtract ? mpfr_sub(result, x, y, MPFR_RNDN)
                : &op == &op_multiply ? mpfr_mul(result, x, y, MPFR_RNDN)
                                      : mpfr_div(result, x, y, MPFR_RNDN);
  ternary = mpfr_check_range(result, ternary, MPFR_RNDN);
  mpfr_subnormalize(result, ternary, MPFR_RNDN);
  const double rounded = mpfr_get_d(result, MPFR_RNDN);
  mpfr_set_emin(saved_min);
  mpfr_set_emax(saved_max);
  mpfr_clears(x, y, result, nullptr);
  return rounded;
}

TEST_CASE("add, subtract, multiply and divide are correctly rounded") {
  std::mt19937_64 random(20240229);
  for (const PrimitiveType type : {F64, F32, F16, BF16}) {
    // Random patterns, so that every exponent occurs. The second operand is often near the first, for cancellation.
    const int width = BitWidth(type);
    std::vector<std::uint64_t> lhs, rhs;
    for (int i = 0; i < 20000; ++i) {
      const std::uint64_t a = random() >> (64 - width);
      const std::uint64_t near = (a ^ (random() & 0xff) ^ (random() << (width - 1))) << (64 - width) >> (64 - width);
      lhs.push_back(a);
      rhs.push_back(i % 2 == 0 ? random() >> (64 - width) : near);
    }
    const Literal a = FromBits(type, lhs);
    const Literal b = FromBits(type, rhs);
    const std::vector<double> x = Numbers(a);
    const std::vector<double> y = Numbers(b);
    for (const Op* op : {&op_add, &op_subtract, &op_multiply, &op_divide}) {
      std::vector<double> want;
      for (std::size_t i = 0; i < x.size(); ++i) want.push_back(RoundedByMpfr(*op, type, x[i], y[i]));
      INFO(op->name << " " << PrimitiveTypeName(type));
      CHECK(Same(Numbers(RunOp(*op, {a, b})), want));
    }
  }
}

TEST_CASE("Operands of different floating types are taken exactly and give the wider type") {
  const Literal sum = RunOp(op_add, {Reals(F32, {1 + 0x1p-23}), Reals(BF16, {0x1p-24})});
  CHECK(sum.element_type() == F32);
  CHECK(Numbers(sum) == std::vector<double>{1 + 0x1p-22});  // a tie, to even
  CHECK(Numbers(RunOp(op_add, {Reals(F64, {1}), Reals(F32, {0x1p-52})})) == std::vector<double>{1 + 0x1p-52});
  CHECK(RunOp(op_add, {Reals(F16, {1}), Reals(BF16, {1})}).element_type() == BF16);
  CHECK(Numbers(RunOp(op_power, {Reals(F32, {2}), Reals(BF16, {3})})) == std::vector<double>{8});
  const Literal chosen = RunOp(op_select, {Integers(PRED, {1, 0}), Reals(BF16, {3, 4}), Reals(F32, {0.1f, 0.2f})});
  CHECK(chosen.element_type() == F32);
  CHECK(Numbers(chosen) == std::vector<double>{3, 0.2f});
}

TEST_CASE("Functions take their special values from IEEE 754") {
  CHECK(Same(
      Compute(op_power, F32,
              {{0, kNan, 1, -8, 0, -0.0, kInfinity, -1, -0.0, -2, -2, 0, -kInfinity, -kInfinity, 2, -0.0, -kInfinity},
               {0, 0, kNan, 1 / 3.0, -1, -1, 0, kInfinity, -2, 3, 0.5, -kInfinity, 3, -3, -149, 0.5, 0.5}}),
      {1, 1, 1, kNan, kInfinity, -kInfinity, 1, 1, kInfinity, -8, kNan, kInfinity, -kInfinity, -0.0, 0x1p-149, 0,
       kInfinity}));
  CHECK(Same(Compute(op_cbrt, F32, {{-0.0, -8, kInfinity, -kInfinity}}), {-0.0, -2, kInfinity, -kInfinity}));
  CHECK(Same(Compute(op_log_plus_one, F32, {{-1, -2, -0.0, kInfinity}}), {-kInfinity, kNan, -0.0, kInfinity}));
  CHECK(Same(Compute(op_rsqrt, F32, {{0, -0.0, -1, kInfinity, 0.25}}), {kInfinity, -kInfinity, kNan, 0, 2}));
  CHECK(Same(Compute(op_log, F32, {{0, -0.0, -1, kInfinity, 1}}), {-kInfinity, -kInfinity, kNan, kInfinity, 0}));
  CHECK(Same(Compute(op_exponential_minus_one, F32, {{-0.0, -kInfinity, kInfinity}}), {-0.0, -1, kInfinity}));
  CHECK(Same(Compute(op_exponential, F32, {{-kInfinity, 0, kInfinity, 88.8, -104}}), {0, 1, kInfinity, kInfinity, 0}));
  CHECK(Same(Compute(op_tanh, F32, {{-0.0, kInfinity, -kInfinity, kNan}}), {-0.0, 1, -1, kNan}));
  CHECK(Same(Compute(op_logistic, F32, {{-kInfinity, kInfinity, 0, kNan}}), {0, 1, 0.5, kNan}));
  CHECK(Same(Compute(op_sine, F32, {{-0.0, kInfinity}}), {-0.0, kNan}));
  CHECK(Same(Compute(op_cosine, F32, {{0, kInfinity}}), {1, kNan}));
  CHECK(Same(Compute(op_tan, F32, {{-0.0, kInfinity}}), {-0.0, kNan}));
  CHECK(Same(Compute(op_erf, F32, {{-0.0, kInfinity, -kInfinity, kNan}}), {-0.0, 1, -1, kNan}));
  CHECK(Same(Compute(op_asin, F32, {{-0.0, 2}}), {-0.0, kNan}));
  CHECK(Same(Compute(op_acos, F32, {{1, -2}}), {0, kNan}));
  CHECK(Same(Compute(op_atan, F32, {{-0.0, kNan}}), {-0.0, kNan}));
  CHECK(Same(Compute(op_sinh, F32, {{-0.0, -kInfinity}}), {-0.0, -kInfinity}));
  CHECK(Same(Compute(op_cosh, F32, {{0, -kInfinity}}), {1, kInfinity}));
  CHECK(Same(Compute(op_asinh, F32, {{-0.0, -kInfinity}}), {-0.0, -kInfinity}));
  CHECK(Same(Compute(op_acosh, F32, {{1, 0, kInfinity}}), {0, kNan, kInfinity}));
  CHECK(Same(Compute(op_atanh, F32, {{-0.0, 1, -1, 2}}), {-0.0, kInfinity, -kInfinity, kNan}));
  const double pi = 0x1.921fb6p1;  // rounded to f32
  CHECK(Same(Compute(op_atan2, F32,
                     {{0, 0, -0.0, -0.0, 0, -0.0, kInfinity, kInfinity, -kInfinity, 1, kNan, 1, -0.0},
                      {0, -0.0, 0, -0.0, -1, -1, kInfinity, -kInfinity, kInfinity, -kInfinity, 1, 0, 1}}),
             {0, pi, -0.0, -pi, pi, -pi, pi / 4, 0x1.2d97c8p1, -pi / 4, pi, kNan, pi / 2, -0.0}));
}

}  // namespace
}  // namespace assay::testing
