// Laws that powers and functions keep for all values. spec_tests/oracle/numbers_oracle_test.py has the values of the
// other element-wise ops, for any bits of any type.
#include "interpreter/types/float_format.h"
#include "spec_tests/ops/kernel.h"
#include "spec_tests/property.h"

namespace assay::testing {
namespace {

using Bits = std::vector<std::uint64_t>;

const std::vector<PrimitiveType> kIntegers = {S1, U1, S4, U4, S8, U8, S16, U16, S32, U32, S64, U64};

struct Pair {
  Literal a;
  Literal b;
};

// Draws any patterns of a type of the list. A third of the second operands repeat the first.
Pair AnyPair(const std::vector<PrimitiveType>& types) {
  const PrimitiveType type = OneOf(types);
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - BitWidth(type));
  Bits a, b;
  for (int i = 0; i < 16; ++i) {
    a.push_back(AnyBits() * (i % 2 == 0 ? 0x9e3779b97f4a7c15 : 1) & mask);
    b.push_back(i % 3 == 0 ? a.back() : AnyBits() * 0xd1342543de82ef95 & mask);
  }
  if (!IsIntegralType(type)) return {FromBits(type, a), FromBits(type, b)};
  return {Integers(type, {a.begin(), a.end()}), Integers(type, {b.begin(), b.end()})};
}

bool AreEqual(const Literal& lhs, const Literal& rhs) { return lhs.BitwiseEqual(rhs); }

// True if the bits are equal or both are NaN: the order of operands decides which of two NaNs is returned.
bool AreEqualOrNan(const Literal& lhs, const Literal& rhs) {
  const Bits a = ToBits(lhs);
  const Bits b = ToBits(rhs);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const FloatFormat& format = FloatFormatOf(lhs.element_type());
    if (a[i] != b[i] && !(format.is_nan(a[i]) && format.is_nan(b[i]))) return false;
  }
  return true;
}

TEST_CASE("Powers of integers are products") {
  Holds("a^(k + 1) = a^k * a for k >= 0", [] {
    const Pair p = AnyPair(kIntegers);
    const PrimitiveType type = p.a.element_type();
    Presume(BitWidth(type) > 4);
    const std::int64_t k = InRange(0, 100);
    const Literal exponent = Integers(type, std::vector<std::int64_t>(16, k));
    const Literal next = Integers(type, std::vector<std::int64_t>(16, k + 1));
    ENSURE(AreEqual(RunOp(op_power, {p.a, next}), RunOp(op_multiply, {RunOp(op_power, {p.a, exponent}), p.a})));
  });
}

// Rounding to nearest preserves odd, even and monotone functions.
TEST_CASE("Laws of functions") {
  const std::vector<PrimitiveType> types = {F64, F32, F16, BF16, F8E5M2, F8E4M3FN};
  Holds("f(-x) = -f(x)", [&] {
    const Pair p = AnyPair(types);
    const Literal negated = RunOp(op_negate, {p.a});
    for (const Op* op : {&op_asin, &op_asinh, &op_atan, &op_atanh, &op_cbrt, &op_erf, &op_sine, &op_sinh, &op_tan,
                         &op_tanh, &op_sign, &op_round_nearest_afz, &op_round_nearest_even}) {
      INFO(op->name);
      ENSURE(AreEqualOrNan(RunOp(*op, {negated}), RunOp(op_negate, {RunOp(*op, {p.a})})));
    }
    ENSURE(AreEqualOrNan(RunOp(op_atan2, {negated, p.b}), RunOp(op_negate, {RunOp(op_atan2, {p.a, p.b})})));
  });
  Holds("f(-x) = f(x)", [&] {
    const Pair p = AnyPair(types);
    for (const Op* op : {&op_cosine, &op_cosh}) {
      INFO(op->name);
      ENSURE(AreEqualOrNan(RunOp(*op, {RunOp(op_negate, {p.a})}), RunOp(*op, {p.a})));
    }
  });
  const auto is_monotone = [](const Op& op, const Literal& low, const Literal& high) {
    const std::vector<double> least = Numbers(RunOp(op, {low})), most = Numbers(RunOp(op, {high}));
    for (std::size_t i = 0; i < least.size(); ++i) {
      if (least[i] > most[i]) return false;
    }
    return true;
  };
  Holds("x <= y gives f(x) <= f(y), or f(y) <= f(x)", [&] {
    const Pair p = AnyPair(types);
    const Literal low = RunOp(op_minimum, {p.a, p.b}), high = RunOp(op_maximum, {p.a, p.b});
    for (const Op* op : {&op_acosh, &op_asin, &op_asinh, &op_atan, &op_atanh, &op_cbrt, &op_ceil, &op_erf,
                         &op_exponential, &op_exponential_minus_one, &op_floor, &op_log, &op_log_plus_one, &op_logistic,
                         &op_round_nearest_afz, &op_round_nearest_even, &op_sinh, &op_sqrt, &op_tanh}) {
      INFO(op->name);
      ENSURE(is_monotone(*op, low, high));
    }
    ENSURE(is_monotone(op_acos, high, low));
    ENSURE(is_monotone(op_rsqrt, RunOp(op_maximum, {RunOp(op_abs, {p.a}), RunOp(op_abs, {p.b})}),
                       RunOp(op_minimum, {RunOp(op_abs, {p.a}), RunOp(op_abs, {p.b})})));
  });
  Holds("complex numbers: the parts of a number make it", [] {
    const Pair p = AnyPair({F64, F32});
    const Literal whole = RunOp(op_complex, {p.a, p.b});
    ENSURE(AreEqual(RunOp(op_real, {whole}), p.a));
    ENSURE(AreEqual(RunOp(op_imag, {whole}), p.b));
  });
}

}  // namespace
}  // namespace assay::testing
