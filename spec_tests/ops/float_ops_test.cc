// Element-wise ops on floats: the NaN that they return, and f32, f64, bf16 and f16 against MPFR, rounded once.
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

}  // namespace
}  // namespace assay::testing
