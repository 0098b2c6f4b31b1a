// Integer and pred element-wise ops: every pair of elements up to eight bits against arithmetic in int that is reduced
// to the width by division.
#include <algorithm>
#include <bit>
#include <functional>

#include "spec_tests/ops/kernel.h"

namespace assay::testing {
namespace {

constexpr PrimitiveType kSmallTypes[] = {S1, S2, S4, S8, U1, U2, U4, U8};

// Returns the value of the type that is equal to `value` modulo 2^width.
int Wrapped(PrimitiveType type, int value) {
  const int modulus = 1 << BitWidth(type);
  const int residue = ((value % modulus) + modulus) % modulus;
  return IsSignedIntegralType(type) && residue >= modulus / 2 ? residue - modulus : residue;
}

int Least(PrimitiveType type) { return IsSignedIntegralType(type) ? -(1 << (BitWidth(type) - 1)) : 0; }
int Greatest(PrimitiveType type) { return Least(type) + (1 << BitWidth(type)) - 1; }
int Residue(PrimitiveType type, int value) { return value < 0 ? value + (1 << BitWidth(type)) : value; }

int FloorDivide(int a, int b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

int NaivePower(PrimitiveType type, int base, int exponent) {
  if (exponent < 0) {
    if (base == 1) return 1;
    return base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
  }
  int power = 1;
  for (int i = 0; i < exponent; ++i) power = Wrapped(type, power * base);
  return power;
}

struct BinaryCase {
  const Op& op;
  std::function<int(PrimitiveType, int, int)> expected;  // before wrapping
};

const BinaryCase kBinaryCases[] = {
    {op_add, [](PrimitiveType, int a, int b) { return a + b; }},
    {op_subtract, [](PrimitiveType, int a, int b) { return a - b; }},
    {op_multiply, [](PrimitiveType, int a, int b) { return a * b; }},
    {op_divide, [](PrimitiveType, int a, int b) { return b == 0 ? -1 : a / b; }},
    {op_remainder, [](PrimitiveType, int a, int b) { return b == 0 ? a : a % b; }},
    {op_maximum, [](PrimitiveType, int a, int b) { return std::max(a, b); }},
    {op_minimum, [](PrimitiveType, int a, int b) { return std::min(a, b); }},
    {op_and, [](PrimitiveType t, int a, int b) { return Residue(t, a) & Residue(t, b); }},
    {op_or, [](PrimitiveType t, int a, int b) { return Residue(t, a) | Residue(t, b); }},
    {op_xor, [](PrimitiveType t, int a, int b) { return Residue(t, a) ^ Residue(t, b); }},
    {op_mulhi, [](PrimitiveType t, int a, int b) { return FloorDivide(a * b, 1 << BitWidth(t)); }},
    {op_power, NaivePower},
    {op_shift_left,
     [](PrimitiveType t, int a, int b) {
       const int amount = Residue(t, b);
       return amount >= BitWidth(t) ? 0 : Residue(t, a) * (1 << amount);
     }},
    {op_shift_right_logical,
     [](PrimitiveType t, int a, int b) {
       const int amount = Residue(t, b);
       return amount >= BitWidth(t) ? 0 : Residue(t, a) / (1 << amount);
     }},
    {op_shift_right_arithmetic,
     [](PrimitiveType t, int a, int b) {
       const int width = BitWidth(t);
       const int as_signed = Residue(t, a) >= 1 << (width - 1) ? Residue(t, a) - (1 << width) : Residue(t, a);
       return FloorDivide(as_signed, 1 << std::min(Residue(t, b), width));
     }},
};

TEST_CASE("Binary ops agree with plain arithmetic on every pair of elements of up to eight bits") {
  for (const PrimitiveType type : kSmallTypes) {
    std::vector<std::int64_t> lhs, rhs;
    for (int a = Least(type); a <= Greatest(type); ++a) {
      for (int b = Least(type); b <= Greatest(type); ++b) {
        lhs.push_back(a);
        rhs.push_back(b);
      }
    }
    for (const BinaryCase& binary : kBinaryCases) {
      const auto got = ToIntegers(RunOp(binary.op, {Integers(type, lhs), Integers(type, rhs)}));
      int wrong = 0;
      for (std::size_t i = 0; i < lhs.size(); ++i) {
        const int want = Wrapped(type, binary.expected(type, static_cast<int>(lhs[i]), static_cast<int>(rhs[i])));
        if (got[i] == want) continue;
        if (wrong++ == 0) UNSCOPED_INFO(lhs[i] << " " << rhs[i] << ": got " << got[i] << ", want " << want);
      }
      INFO(binary.op.name << " " << PrimitiveTypeName(type));
      CHECK(wrong == 0);
    }
  }
}

struct UnaryCase {
  const Op& op;
  std::function<int(PrimitiveType, int)> expected;
};

const UnaryCase kUnaryCases[] = {
    {op_negate, [](PrimitiveType, int a) { return -a; }},
    {op_not, [](PrimitiveType, int a) { return -1 - a; }},
    {op_abs, [](PrimitiveType, int a) { return a < 0 ? -a : a; }},
    {op_sign, [](PrimitiveType, int a) { return a < 0   ? -1
                                                : a > 0 ? 1
                                                        : 0; }},
    {op_popcnt,
     [](PrimitiveType t, int a) {
       int ones = 0;
       for (int rest = Residue(t, a); rest > 0; rest /= 2) ones += rest % 2;
       return ones;
     }},
    {op_count_leading_zeros,
     [](PrimitiveType t, int a) {
       int zeros = BitWidth(t);
       for (int rest = Residue(t, a); rest > 0; rest /= 2) --zeros;
       return zeros;
     }},
};

TEST_CASE("Unary ops agree with plain arithmetic on every element of up to eight bits") {
  for (const UnaryCase& unary : kUnaryCases) {
    for (const PrimitiveType type : kSmallTypes) {
      if (!unary.op.legality.types.contains(type)) continue;
      std::vector<std::int64_t> operand;
      std::vector<std::int64_t> want;
      for (int a = Least(type); a <= Greatest(type); ++a) {
        operand.push_back(a);
        want.push_back(Wrapped(type, unary.expected(type, a)));
      }
      INFO(unary.op.name << " " << PrimitiveTypeName(type));
      CHECK(ToIntegers(RunOp(unary.op, {Integers(type, operand)})) == want);
    }
  }
}

}  // namespace
}  // namespace assay::testing
