// Laws that element-wise ops keep for all values.
#include <rapidcheck.h>

#include "interpreter/types/float_format.h"
#include "spec_tests/ops/kernel.h"

namespace assay::testing {
namespace {

using Bits = std::vector<std::uint64_t>;

const std::vector<PrimitiveType> kIntegers = {S1, U1, S4, U4, S8, U8, S16, U16, S32, U32, S64, U64};
const std::vector<PrimitiveType> kReals = {F64, F32, F16, BF16, F8E5M2, F8E4M3FN, F8E4M3FNUZ, F6E3M2FN, F4E2M1FN};

struct Pair {
  Literal a;
  Literal b;
};

// Any patterns of a type of the list; a third of the second operands repeat the first.
Pair AnyPair(const std::vector<PrimitiveType>& types) {
  const PrimitiveType type = *rc::gen::elementOf(types);
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - BitWidth(type));
  const auto lhs = *rc::gen::container<Bits>(16, rc::gen::arbitrary<std::uint64_t>());
  const auto rhs = *rc::gen::container<Bits>(16, rc::gen::arbitrary<std::uint64_t>());
  Bits a, b;
  for (int i = 0; i < 16; ++i) {
    a.push_back((i % 2 == 0 ? lhs[i] * 0x9e3779b97f4a7c15 : lhs[i]) & mask);
    b.push_back(i % 3 == 0 ? a.back() : rhs[i] * 0xd1342543de82ef95 & mask);
  }
  if (!IsIntegralType(type)) return {FromBits(type, a), FromBits(type, b)};
  return {Integers(type, {a.begin(), a.end()}), Integers(type, {b.begin(), b.end()})};
}

bool AreEqual(const Literal& lhs, const Literal& rhs) { return lhs.BitwiseEqual(rhs); }

// Bits equal, or both NaN: which of two NaNs comes out depends on the order of operands.
bool AreEqualOrNan(const Literal& lhs, const Literal& rhs) {
  const Bits a = ToBits(lhs);
  const Bits b = ToBits(rhs);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const FloatFormat& format = FloatFormatOf(lhs.element_type());
    if (a[i] != b[i] && !(format.is_nan(a[i]) && format.is_nan(b[i]))) return false;
  }
  return true;
}

void Holds(const char* law, const std::function<void()>& property) { CHECK(rc::check(law, property)); }

TEST_CASE("Integers form a ring and a lattice") {
  Holds("commutativity", [] {
    const Pair p = AnyPair(kIntegers);
    for (const Op* op : {&op_add, &op_multiply, &op_maximum, &op_minimum, &op_and, &op_or, &op_xor, &op_mulhi}) {
      RC_ASSERT(AreEqual(RunOp(*op, {p.a, p.b}), RunOp(*op, {p.b, p.a})));
    }
  });
  Holds("a - b = a + (-b), and -a = ~a + 1 = ~(a - 1)", [] {
    const Pair p = AnyPair(kIntegers);
    RC_ASSERT(AreEqual(RunOp(op_subtract, {p.a, p.b}), RunOp(op_add, {p.a, RunOp(op_negate, {p.b})})));
    RC_ASSERT(AreEqual(RunOp(op_not, {RunOp(op_not, {p.a})}), p.a));
    const Literal zero = RunOp(op_subtract, {p.a, p.a});
    RC_ASSERT(AreEqual(RunOp(op_add, {p.a, RunOp(op_negate, {p.a})}), zero));
    RC_ASSERT(AreEqual(RunOp(op_negate, {RunOp(op_not, {p.a})}), RunOp(op_subtract, {p.a, RunOp(op_not, {zero})})));
  });
  Holds("a = (a / b) * b + a % b wherever b is not 0", [] {
    const Pair p = AnyPair(kIntegers);
    const Literal zero = RunOp(op_subtract, {p.a, p.a});
    const Literal is_zero = RunOp(op_compare, {p.b, zero}, {{"direction", std::string("EQ")}});
    const Literal product = RunOp(op_multiply, {RunOp(op_divide, {p.a, p.b}), p.b});
    const Literal sum = RunOp(op_add, {product, RunOp(op_remainder, {p.a, p.b})});
    RC_ASSERT(AreEqual(RunOp(op_select, {is_zero, p.a, sum}), p.a));
  });
  Holds("a ^ b = (a | b) - (a & b), and max + min = a + b", [] {
    const Pair p = AnyPair(kIntegers);
    RC_ASSERT(
        AreEqual(RunOp(op_xor, {p.a, p.b}), RunOp(op_subtract, {RunOp(op_or, {p.a, p.b}), RunOp(op_and, {p.a, p.b})})));
    RC_ASSERT(AreEqual(RunOp(op_add, {RunOp(op_maximum, {p.a, p.b}), RunOp(op_minimum, {p.a, p.b})}),
                       RunOp(op_add, {p.a, p.b})));
  });
  Holds("a logical shift keeps what a shift left drops: popcnt(a << k) + popcnt(a >> (width - k)) = popcnt(a)", [] {
    const PrimitiveType type = *rc::gen::elementOf(std::vector<PrimitiveType>{S8, U8, S16, U16, S32, U32, S64, U64});
    const int width = BitWidth(type);
    const std::int64_t k = *rc::gen::inRange(0, width + 1);
    const Literal a = Integers(type, {*rc::gen::arbitrary<std::int64_t>()});
    const Literal left = RunOp(op_shift_left, {a, Integers(type, {k})});
    const Literal right = RunOp(op_shift_right_logical, {a, Integers(type, {width - k})});
    RC_ASSERT(AreEqual(RunOp(op_add, {RunOp(op_popcnt, {left}), RunOp(op_popcnt, {right})}), RunOp(op_popcnt, {a})));
  });
  Holds("a^(k + 1) = a^k * a for k >= 0", [] {
    const Pair p = AnyPair(kIntegers);
    const PrimitiveType type = p.a.element_type();
    RC_PRE(BitWidth(type) > 4);
    const std::int64_t k = *rc::gen::inRange(0, 100);
    const Literal exponent = Integers(type, std::vector<std::int64_t>(16, k));
    const Literal next = Integers(type, std::vector<std::int64_t>(16, k + 1));
    RC_ASSERT(AreEqual(RunOp(op_power, {p.a, next}), RunOp(op_multiply, {RunOp(op_power, {p.a, exponent}), p.a})));
  });
}

TEST_CASE("Laws of rounded arithmetic") {
  Holds("commutativity", [] {
    const Pair p = AnyPair(kReals);
    for (const Op* op : {&op_add, &op_multiply, &op_maximum, &op_minimum}) {
      RC_ASSERT(AreEqualOrNan(RunOp(*op, {p.a, p.b}), RunOp(*op, {p.b, p.a})));
    }
  });
  Holds("a - b = a + (-b) and -(-a) = a", [] {
    const Pair p = AnyPair(kReals);
    RC_ASSERT(AreEqualOrNan(RunOp(op_subtract, {p.a, p.b}), RunOp(op_add, {p.a, RunOp(op_negate, {p.b})})));
    RC_ASSERT(AreEqualOrNan(RunOp(op_negate, {RunOp(op_negate, {p.a})}), p.a));
  });
  Holds("|a| = max(a, -a)", [] {
    const Pair p = AnyPair(kReals);
    RC_ASSERT(AreEqualOrNan(RunOp(op_abs, {p.a}), RunOp(op_maximum, {p.a, RunOp(op_negate, {p.a})})));
  });
  Holds("ceil(a) = -floor(-a)", [] {
    const Pair p = AnyPair(kReals);
    RC_ASSERT(AreEqualOrNan(RunOp(op_ceil, {p.a}), RunOp(op_negate, {RunOp(op_floor, {RunOp(op_negate, {p.a})})})));
  });
  Holds("min and max order the pair, and clamp is their composition", [] {
    const Pair p = AnyPair(kReals);
    const Literal low = RunOp(op_minimum, {p.a, p.b});
    const Literal high = RunOp(op_maximum, {p.a, p.b});
    RC_ASSERT(
        AreEqualOrNan(RunOp(op_clamp, {low, p.a, high}), RunOp(op_maximum, {RunOp(op_minimum, {p.a, high}), low})));
  });
  Holds("a total order: exactly one of <, =, > holds", [] {
    const Pair p = AnyPair(kReals);
    const auto compare = [&](const char* direction) {
      return RunOp(op_compare, {p.a, p.b},
                   {{"direction", std::string(direction)}, {"type", std::string("TOTALORDER")}});
    };
    const Literal less = compare("LT"), equal = compare("EQ"), greater = compare("GT");
    for (int i = 0; i < 16; ++i) RC_ASSERT(less.BoolAt(i) + equal.BoolAt(i) + greater.BoolAt(i) == 1);
  });
}

}  // namespace
}  // namespace assay::testing
