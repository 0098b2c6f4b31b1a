// Element-wise ops on floats: the NaN that they return, and their results against MPFR's, rounded once: every pair of
// elements of up to eight bits, and random ones of wider types.
#include <mpfr.h>

#include <cstdint>
#include <optional>
#include <random>

#include "spec_tests/numerics/float_types.h"
#include "spec_tests/numerics/rounding_reference.h"
#include "spec_tests/ops/kernel.h"

namespace assay::testing {
namespace {

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

// A sum, difference or product of any two numbers has fewer bits. Other results have so many bits in ties only.
constexpr mpfr_prec_t kExactBits = 2200;

// Rounds the results of MPFR to a format.
class RoundedByReference {
 public:
  explicit RoundedByReference(PrimitiveType type) : format_(FloatFormatOf(type)) {
    mpfr_inits2(kExactBits, x_, y_, result_, nullptr);
    if (format_.bits() <= 16) nearest_.emplace(format_);
  }
  ~RoundedByReference() { mpfr_clears(x_, y_, result_, nullptr); }
  RoundedByReference(const RoundedByReference&) = delete;
  RoundedByReference& operator=(const RoundedByReference&) = delete;

  template <class Function>
  std::uint64_t operator()(Function function, double a, double b) {
    mpfr_set_d(x_, a, MPFR_RNDN);
    mpfr_set_d(y_, b, MPFR_RNDN);
    if (mpfr_nan_p(x_) || mpfr_nan_p(y_)) {
      mpfr_set_nan(result_);  // MPFR's maximum of a NaN and a number is the number
    } else {
      function(result_, x_, y_);
    }
    return nearest_ ? nearest_->Round(result_) : RoundByMpfr(format_, result_);
  }
  // True for equal bits, and for NaN where NaN is expected.
  bool Accepts(std::uint64_t want, std::uint64_t got) const {
    return want == got || (format_.is_nan(want) && format_.is_nan(got));
  }

 private:
  const FloatFormat& format_;
  std::optional<NearestValue> nearest_;
  mpfr_t x_, y_, result_;
};

struct ExactOp {
  const Op& op;
  void (*exact)(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y);
};

const ExactOp kBinaryOps[] = {
    {op_add, [](mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y) { mpfr_add(r, x, y, MPFR_RNDN); }},
    {op_subtract, [](mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y) { mpfr_sub(r, x, y, MPFR_RNDN); }},
    {op_multiply, [](mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y) { mpfr_mul(r, x, y, MPFR_RNDN); }},
    {op_divide, [](mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y) { mpfr_div(r, x, y, MPFR_RNDN); }},
    {op_remainder, [](mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y) { mpfr_fmod(r, x, y, MPFR_RNDN); }},
    {op_maximum, [](mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y) { mpfr_max(r, x, y, MPFR_RNDN); }},
    {op_minimum, [](mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y) { mpfr_min(r, x, y, MPFR_RNDN); }},
};

const ExactOp kUnaryOps[] = {
    {op_sqrt, [](mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr) { mpfr_sqrt(r, x, MPFR_RNDN); }},
    {op_floor, [](mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr) { mpfr_floor(r, x); }},
    {op_ceil, [](mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr) { mpfr_ceil(r, x); }},
    {op_sign,
     [](mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr) {
       mpfr_set_si(r, mpfr_sgn(x), MPFR_RNDN);
       mpfr_copysign(r, r, x, MPFR_RNDN);
     }},
    {op_abs, [](mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr) { mpfr_abs(r, x, MPFR_RNDN); }},
    {op_negate, [](mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr) { mpfr_neg(r, x, MPFR_RNDN); }},
};

// Checks an op on arrays of one type.
void CheckRoundedOnce(const ExactOp& exact, const std::vector<Literal>& operands) {
  const PrimitiveType type = operands[0].element_type();
  INFO(exact.op.name << " " << PrimitiveTypeName(type));
  RoundedByReference rounded(type);
  const std::vector<double> x = Numbers(operands[0]), y = Numbers(operands.back());
  const std::vector<std::uint64_t> got = ToBits(RunOp(exact.op, operands));
  int wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const std::uint64_t want = rounded(exact.exact, x[i], y[i]);
    if (rounded.Accepts(want, got[i])) continue;
    if (wrong++ == 0) UNSCOPED_INFO(x[i] << " " << y[i] << ": got " << got[i] << ", want " << want);
  }
  CHECK(wrong == 0);
}

TEST_CASE("Ops are correctly rounded on every pair of elements of up to eight bits") {
  for (const PrimitiveType type : FloatTypes(8)) {
    const std::uint64_t codes = std::uint64_t{1} << BitWidth(type);
    std::vector<std::uint64_t> all, lhs, rhs;
    for (std::uint64_t a = 0; a < codes; ++a) {
      all.push_back(a);
      for (std::uint64_t b = 0; b < codes; ++b) {
        lhs.push_back(a);
        rhs.push_back(b);
      }
    }
    for (const ExactOp& unary : kUnaryOps) CheckRoundedOnce(unary, {FromBits(type, all)});
    for (const ExactOp& binary : kBinaryOps) CheckRoundedOnce(binary, {FromBits(type, lhs), FromBits(type, rhs)});
  }
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
    for (std::size_t k = 0; k < 4; ++k) CheckRoundedOnce(kBinaryOps[k], {FromBits(type, lhs), FromBits(type, rhs)});
  }
}

}  // namespace
}  // namespace assay::testing
