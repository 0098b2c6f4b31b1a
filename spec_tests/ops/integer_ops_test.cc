// Integer and pred element-wise ops. Every pair of elements up to eight bits against arithmetic in int that is reduced
// to the width by division; wider types at the edge cases of docs/decisions.md#integers.
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

using Values = std::vector<std::int64_t>;
constexpr std::int64_t kMin32 = INT32_MIN;
constexpr std::int64_t kMin64 = INT64_MIN;

Values ComputeIntegers(const Op& op, PrimitiveType type, const Values& lhs, const Values& rhs) {
  return ToIntegers(RunOp(op, {Integers(type, lhs), Integers(type, rhs)}));
}
Values ComputeIntegers(const Op& op, PrimitiveType type, const Values& operand) {
  return ToIntegers(RunOp(op, {Integers(type, operand)}));
}

TEST_CASE("Division and remainder never trap") {
  const Values lhs = {7, -7, 7, -7, 0, 5, -5, kMin32, kMin32};
  const Values rhs = {2, 2, -2, -2, 0, 0, 0, 0, -1};
  CHECK(ComputeIntegers(op_divide, S32, lhs, rhs) == Values{3, -3, -3, 3, -1, -1, -1, -1, kMin32});
  CHECK(ComputeIntegers(op_remainder, S32, lhs, rhs) == Values{1, -1, 1, -1, 0, 5, -5, kMin32, 0});
  CHECK(ComputeIntegers(op_divide, S64, {5, kMin64}, {0, -1}) == Values{-1, kMin64});
  CHECK(ComputeIntegers(op_remainder, S64, {5, kMin64}, {0, -1}) == Values{5, 0});
  CHECK(ComputeIntegers(op_divide, U32, {5, 0, 4294967295}, {0, 0, 2}) == Values{4294967295, 4294967295, 2147483647});
  CHECK(ComputeIntegers(op_remainder, U32, {5, 0, 4294967295}, {0, 0, 2}) == Values{5, 0, 1});
  CHECK(ComputeIntegers(op_divide, U64, {-1, -1}, {0, 3}) == Values{-1, 6148914691236517205});
}

TEST_CASE("Wide integers wrap") {
  CHECK(ComputeIntegers(op_add, S32, {INT32_MAX, kMin32}, {1, -1}) == Values{kMin32, INT32_MAX});
  CHECK(ComputeIntegers(op_add, S64, {INT64_MAX}, {1}) == Values{kMin64});
  CHECK(ComputeIntegers(op_subtract, U32, {0}, {1}) == Values{4294967295});
  CHECK(ComputeIntegers(op_multiply, S32, {65536, 65536}, {65536, 32768}) == Values{0, kMin32});
  CHECK(ComputeIntegers(op_multiply, S64, {3037000500}, {3037000500}) == Values{-9223372036709301616});
  CHECK(ComputeIntegers(op_multiply, S16, {-300, 256}, {-300, 128}) == Values{24464, -32768});
  CHECK(ComputeIntegers(op_abs, S32, {kMin32, -5}) == Values{kMin32, 5});
  CHECK(ComputeIntegers(op_negate, S64, {kMin64}) == Values{kMin64});
  CHECK(ComputeIntegers(op_negate, U32, {1}) == Values{4294967295});
}

TEST_CASE("Shifts at and past the width") {
  const Values lhs = {1, 1, 1, 1, 1, 1, -8, -8, -8, -8, -8, -8};
  const Values rhs = {0, 31, 32, 33, -1, 64, 1, 31, 32, 33, -1, 64};
  CHECK(ComputeIntegers(op_shift_left, S32, lhs, rhs) == Values{1, kMin32, 0, 0, 0, 0, -16, 0, 0, 0, 0, 0});
  CHECK(ComputeIntegers(op_shift_right_logical, S32, lhs, rhs) == Values{1, 0, 0, 0, 0, 0, 2147483644, 1, 0, 0, 0, 0});
  CHECK(ComputeIntegers(op_shift_right_arithmetic, S32, lhs, rhs) == Values{1, 0, 0, 0, 0, 0, -4, -1, -1, -1, -1, -1});
  CHECK(ComputeIntegers(op_shift_left, S64, {1, 1, 1}, {63, 64, -1}) == Values{kMin64, 0, 0});
  CHECK(ComputeIntegers(op_shift_right_arithmetic, U64, {kMin64, kMin64}, {63, 64}) == Values{-1, -1});
  CHECK(ComputeIntegers(op_shift_right_logical, S64, {-1, -1}, {63, 64}) == Values{1, 0});
}

TEST_CASE("Power is exact modulo 2^width") {
  CHECK(ComputeIntegers(op_power, S32, {0, 0, 2, 1, -1, -1, 3, 2, 2, -2, 3, 7},
                        {0, -1, -1, -5, -1, -2, -2, 31, 32, 33, 21, 0}) ==
        Values{1, 0, 0, 1, -1, 1, 0, kMin32, 0, 0, 1870418611, 1});
  // 3^(2^32 - 1) = 3^-1 modulo 2^32, because the order of 3 divides 2^30.
  CHECK(ComputeIntegers(op_power, U32, {3, 0, 2}, {4294967295, 0, 32}) == Values{2863311531, 1, 0});
  CHECK(ComputeIntegers(op_power, S64, {3, -3}, {40, 39}) == Values{-6289078614652622815, -4052555153018976267});
}

TEST_CASE("The upper half of a product of wide integers") {
  CHECK(ComputeIntegers(op_mulhi, S32, {kMin32, -1, 65536}, {kMin32, 1, 65536}) == Values{1 << 30, -1, 1});
  CHECK(ComputeIntegers(op_mulhi, U32, {4294967295}, {4294967295}) == Values{4294967294});
  CHECK(ComputeIntegers(op_mulhi, S64, {kMin64, -1}, {kMin64, 1}) == Values{std::int64_t{1} << 62, -1});
  CHECK(ComputeIntegers(op_mulhi, U64, {-1}, {-1}) == Values{-2});
}

TEST_CASE("Bits of wide integers are counted at their width") {
  CHECK(ComputeIntegers(op_count_leading_zeros, S32, {0, 1, -1}) == Values{32, 31, 0});
  CHECK(ComputeIntegers(op_count_leading_zeros, S64, {0, 1, -1}) == Values{64, 63, 0});
  CHECK(ComputeIntegers(op_count_leading_zeros, U16, {0, 1, 65535}) == Values{16, 15, 0});
  CHECK(ComputeIntegers(op_popcnt, S32, {0, -1, kMin32}) == Values{0, 32, 1});
  CHECK(ComputeIntegers(op_popcnt, U64, {-1}) == Values{64});
}

TEST_CASE("On pred, add is or and multiply is and") {
  const Values lhs = {0, 0, 1, 1};
  const Values rhs = {0, 1, 0, 1};
  CHECK(ComputeIntegers(op_add, PRED, lhs, rhs) == Values{0, 1, 1, 1});
  CHECK(ComputeIntegers(op_multiply, PRED, lhs, rhs) == Values{0, 0, 0, 1});
  CHECK(ComputeIntegers(op_maximum, PRED, lhs, rhs) == Values{0, 1, 1, 1});
  CHECK(ComputeIntegers(op_minimum, PRED, lhs, rhs) == Values{0, 0, 0, 1});
  CHECK(ComputeIntegers(op_and, PRED, lhs, rhs) == Values{0, 0, 0, 1});
  CHECK(ComputeIntegers(op_or, PRED, lhs, rhs) == Values{0, 1, 1, 1});
  CHECK(ComputeIntegers(op_xor, PRED, lhs, rhs) == Values{0, 1, 1, 0});
  CHECK(ComputeIntegers(op_not, PRED, {0, 1}) == Values{1, 0});
}

TEST_CASE("clamp of integers is minimum(maximum(x, min), max), whatever the order of the bounds") {
  const auto clamp = [](PrimitiveType type, const Values& min, const Values& x, const Values& max) {
    return ToIntegers(RunOp(op_clamp, {Integers(type, min), Integers(type, x), Integers(type, max)}));
  };
  CHECK(clamp(S32, {0, 0, 0}, {-1, 5, 9}, {6, 6, 6}) == Values{0, 5, 6});
  CHECK(clamp(S32, {5, 5, 5}, {3, 9, 0}, {1, 1, 1}) == Values{1, 1, 1});
  CHECK(clamp(U8, {200, 0}, {7, 255}, {250, 128}) == Values{200, 128});
  CHECK(clamp(PRED, {1, 0}, {0, 1}, {1, 0}) == Values{1, 0});
}

}  // namespace
}  // namespace assay::testing
