// Laws that element-wise ops keep for all values.
#include "interpreter/types/float_format.h"
#include "spec_tests/ops/kernel.h"
#include "spec_tests/property.h"

namespace assay::testing {
namespace {

using Bits = std::vector<std::uint64_t>;

const std::vector<PrimitiveType> kIntegers = {S1, U1, S4, U4, S8, U8, S16, U16, S32, U32, S64, U64};
const std::vector<PrimitiveType> kReals = {F64, F32, F16, BF16, F8E5M2, F8E4M3FN, F8E4M3FNUZ, F6E3M2FN, F4E2M1FN};

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

TEST_CASE("Integers form a ring and a lattice") {
  Holds("commutativity", [] {
    const Pair p = AnyPair(kIntegers);
    for (const Op* op : {&op_add, &op_multiply, &op_maximum, &op_minimum, &op_and, &op_or, &op_xor, &op_mulhi}) {
      ENSURE(AreEqual(RunOp(*op, {p.a, p.b}), RunOp(*op, {p.b, p.a})));
    }
  });
  Holds("a - b = a + (-b), and -a = ~a + 1 = ~(a - 1)", [] {
    const Pair p = AnyPair(kIntegers);
    ENSURE(AreEqual(RunOp(op_subtract, {p.a, p.b}), RunOp(op_add, {p.a, RunOp(op_negate, {p.b})})));
    ENSURE(AreEqual(RunOp(op_not, {RunOp(op_not, {p.a})}), p.a));
    const Literal zero = RunOp(op_subtract, {p.a, p.a});
    ENSURE(AreEqual(RunOp(op_add, {p.a, RunOp(op_negate, {p.a})}), zero));
    ENSURE(AreEqual(RunOp(op_negate, {RunOp(op_not, {p.a})}), RunOp(op_subtract, {p.a, RunOp(op_not, {zero})})));
  });
  Holds("a = (a / b) * b + a % b wherever b is not 0", [] {
    const Pair p = AnyPair(kIntegers);
    const Literal zero = RunOp(op_subtract, {p.a, p.a});
    const Literal is_zero = RunOp(op_compare, {p.b, zero}, {{"direction", std::string("EQ")}});
    const Literal product = RunOp(op_multiply, {RunOp(op_divide, {p.a, p.b}), p.b});
    const Literal sum = RunOp(op_add, {product, RunOp(op_remainder, {p.a, p.b})});
    ENSURE(AreEqual(RunOp(op_select, {is_zero, p.a, sum}), p.a));
  });
  Holds("a ^ b = (a | b) - (a & b), and max + min = a + b", [] {
    const Pair p = AnyPair(kIntegers);
    ENSURE(
        AreEqual(RunOp(op_xor, {p.a, p.b}), RunOp(op_subtract, {RunOp(op_or, {p.a, p.b}), RunOp(op_and, {p.a, p.b})})));
    ENSURE(AreEqual(RunOp(op_add, {RunOp(op_maximum, {p.a, p.b}), RunOp(op_minimum, {p.a, p.b})}),
                    RunOp(op_add, {p.a, p.b})));
  });
  Holds("a logical shift keeps what a shift left drops: popcnt(a << k) + popcnt(a >> (width - k)) = popcnt(a)", [] {
    const PrimitiveType type = OneOf(std::vector<PrimitiveType>{S8, U8, S16, U16, S32, U32, S64, U64});
    const int width = BitWidth(type);
    const std::int64_t k = InRange(0, width + 1);
    const Literal a = Integers(type, {AnyInteger()});
    const Literal left = RunOp(op_shift_left, {a, Integers(type, {k})});
    const Literal right = RunOp(op_shift_right_logical, {a, Integers(type, {width - k})});
    ENSURE(AreEqual(RunOp(op_add, {RunOp(op_popcnt, {left}), RunOp(op_popcnt, {right})}), RunOp(op_popcnt, {a})));
  });
  Holds("an arithmetic shift of a negative number shifts ones in: a >> k = not(not(a) >>> k)", [] {
    const Pair p = AnyPair({S1, S4, S8, S16, S32, S64});
    const PrimitiveType type = p.a.element_type();
    const Literal k = Integers(type, std::vector<std::int64_t>(16, InRange(0, BitWidth(type))));
    const Literal zero = Integers(type, std::vector<std::int64_t>(16, 0));
    const Literal is_negative = RunOp(op_compare, {p.a, zero}, {{"direction", std::string("LT")}});
    const Literal ones_in = RunOp(op_not, {RunOp(op_shift_right_logical, {RunOp(op_not, {p.a}), k})});
    ENSURE(AreEqual(RunOp(op_shift_right_arithmetic, {p.a, k}),
                    RunOp(op_select, {is_negative, ones_in, RunOp(op_shift_right_logical, {p.a, k})})));
  });
  Holds("leading zeros are the bits beyond the highest one", [] {
    const Pair p = AnyPair({S8, U8, S16, U16, S32, U32, S64, U64});
    const PrimitiveType type = p.a.element_type();
    Literal filled = p.a;  // sets every bit below the highest one
    for (int shift = 1; shift < BitWidth(type); shift *= 2) {
      const Literal by = Integers(type, std::vector<std::int64_t>(16, shift));
      filled = RunOp(op_or, {filled, RunOp(op_shift_right_logical, {filled, by})});
    }
    ENSURE(AreEqual(RunOp(op_count_leading_zeros, {p.a}), RunOp(op_popcnt, {RunOp(op_not, {filled})})));
  });
  Holds("sign(a) |a| = a", [] {
    const Pair p = AnyPair({S4, S8, S16, S32, S64});
    ENSURE(AreEqual(RunOp(op_multiply, {RunOp(op_sign, {p.a}), RunOp(op_abs, {p.a})}), p.a));
  });
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

TEST_CASE("Laws of rounded arithmetic") {
  Holds("commutativity", [] {
    const Pair p = AnyPair(kReals);
    for (const Op* op : {&op_add, &op_multiply, &op_maximum, &op_minimum}) {
      ENSURE(AreEqualOrNan(RunOp(*op, {p.a, p.b}), RunOp(*op, {p.b, p.a})));
    }
  });
  Holds("a - b = a + (-b) and -(-a) = a", [] {
    const Pair p = AnyPair(kReals);
    ENSURE(AreEqualOrNan(RunOp(op_subtract, {p.a, p.b}), RunOp(op_add, {p.a, RunOp(op_negate, {p.b})})));
    ENSURE(AreEqualOrNan(RunOp(op_negate, {RunOp(op_negate, {p.a})}), p.a));
  });
  Holds("|a| = max(a, -a)", [] {
    const Pair p = AnyPair(kReals);
    ENSURE(AreEqualOrNan(RunOp(op_abs, {p.a}), RunOp(op_maximum, {p.a, RunOp(op_negate, {p.a})})));
  });
  Holds("ceil(a) = -floor(-a)", [] {
    const Pair p = AnyPair(kReals);
    ENSURE(AreEqualOrNan(RunOp(op_ceil, {p.a}), RunOp(op_negate, {RunOp(op_floor, {RunOp(op_negate, {p.a})})})));
  });
  Holds("min and max order the pair, and clamp is their composition", [] {
    const Pair p = AnyPair(kReals);
    const Literal low = RunOp(op_minimum, {p.a, p.b});
    const Literal high = RunOp(op_maximum, {p.a, p.b});
    ENSURE(AreEqualOrNan(RunOp(op_clamp, {low, p.a, high}), RunOp(op_maximum, {RunOp(op_minimum, {p.a, high}), low})));
  });
  Holds("a total order: exactly one of <, =, > holds", [] {
    const Pair p = AnyPair(kReals);
    const auto compare = [&](const char* direction) {
      return RunOp(op_compare, {p.a, p.b},
                   {{"direction", std::string(direction)}, {"type", std::string("TOTALORDER")}});
    };
    const Literal less = compare("LT"), equal = compare("EQ"), greater = compare("GT");
    for (int i = 0; i < 16; ++i) ENSURE(less.BoolAt(i) + equal.BoolAt(i) + greater.BoolAt(i) == 1);
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
