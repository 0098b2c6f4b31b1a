// Element-wise ops on every pair of elements of the formats of up to eight bits, against small_float.h. The exact
// result is compared with the format's numbers, never computed in the format.
#include <cmath>
#include <functional>
#include <limits>

#include "spec_tests/ops/kernel.h"
#include "spec_tests/ops/small_float.h"

namespace assay::testing {
namespace {

struct SmallFloatCase {
  const Op& op;
  // Returns the code of the exact result rounded once; nothing for NaN.
  std::function<std::optional<int>(const SmallFormat&, double, double)> expected;
};

// Compares a / b with m by comparing a with m * b, which a double holds exactly.
std::optional<int> Quotient(const SmallFormat& format, double a, double b) {
  if (std::isnan(a / b)) return std::nullopt;
  const bool negative = std::signbit(a) != std::signbit(b);
  if (std::isinf(a) || b == 0) return format.Overflow(negative);
  const double dividend = std::fabs(a);
  const double divisor = std::fabs(b);
  return format.Nearest(negative, [=](double m) {
    if (std::isinf(divisor)) return m > 0 ? -1 : 0;
    return dividend > m * divisor ? 1 : dividend < m * divisor ? -1 : 0;
  });
}

// Subtracts the divisor as often as possible, in exact steps of the smaller last place.
std::optional<int> NaiveRemainder(const SmallFormat& format, double a, double b) {
  if (std::isnan(a) || std::isnan(b) || std::isinf(a) || b == 0) return std::nullopt;
  if (std::isinf(b)) return format.Round(a);
  double rest = std::fabs(a);
  for (double step = std::ldexp(std::fabs(b), 40); step >= std::fabs(b); step /= 2) {
    if (rest >= step) rest -= step;
  }
  return format.Round(std::copysign(rest, a));
}

const SmallFloatCase kSmallFloatCases[] = {
    {op_add, [](const SmallFormat& f, double a, double b) { return f.Round(a + b); }},
    {op_subtract, [](const SmallFormat& f, double a, double b) { return f.Round(a - b); }},
    {op_multiply, [](const SmallFormat& f, double a, double b) { return f.Round(a * b); }},
    {op_divide, Quotient},
    {op_remainder, NaiveRemainder},
    {op_maximum,
     [](const SmallFormat& f, double a, double b) -> std::optional<int> {
       if (std::isnan(a) || std::isnan(b)) return std::nullopt;
       if (a == b) return f.Round(std::signbit(a) ? b : a);
       return f.Round(a > b ? a : b);
     }},
    {op_minimum,
     [](const SmallFormat& f, double a, double b) -> std::optional<int> {
       if (std::isnan(a) || std::isnan(b)) return std::nullopt;
       if (a == b) return f.Round(std::signbit(a) ? a : b);
       return f.Round(a < b ? a : b);
     }},
};

// True if the code is NaN, or the -0 that represents NaN in a format without NaN.
bool IsNanResult(const SmallFormat& format, int code) {
  return format.top == Top::kSaturates ? code == format.sign_code() : format.IsNan(code);
}

TEST_CASE("Binary ops are correctly rounded on every pair of small floats") {
  for (const SmallFormat& format : kSmallFormats) {
    std::vector<std::uint64_t> lhs, rhs;
    for (int a = 0; a < format.codes(); ++a) {
      for (int b = 0; b < format.codes(); ++b) {
        lhs.push_back(a);
        rhs.push_back(b);
      }
    }
    for (const SmallFloatCase& binary : kSmallFloatCases) {
      const auto got = ToBits(RunOp(binary.op, {FromBits(format.type, lhs), FromBits(format.type, rhs)}));
      int wrong = 0;
      for (std::size_t i = 0; i < lhs.size(); ++i) {
        const auto want =
            binary.expected(format, format.Value(static_cast<int>(lhs[i])), format.Value(static_cast<int>(rhs[i])));
        const int code = static_cast<int>(got[i]);
        if (want ? code == *want : IsNanResult(format, code)) continue;
        if (wrong++ == 0) UNSCOPED_INFO(lhs[i] << " " << rhs[i] << ": got " << code << ", want " << want.value_or(-1));
      }
      INFO(binary.op.name << " " << PrimitiveTypeName(format.type));
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("Square roots, whole numbers and signs of every small float") {
  for (const SmallFormat& format : kSmallFormats) {
    std::vector<std::uint64_t> codes;
    for (int code = 0; code < format.codes(); ++code) codes.push_back(code);
    const auto check = [&](const Op& op, const std::function<std::optional<int>(double)>& expected) {
      const auto got = ToBits(RunOp(op, {FromBits(format.type, codes)}));
      INFO(op.name << " " << PrimitiveTypeName(format.type));
      for (int code = 0; code < format.codes(); ++code) {
        const std::optional<int> want = expected(format.Value(code));
        INFO(code);
        CHECK((want ? static_cast<int>(got[code]) == *want : IsNanResult(format, static_cast<int>(got[code]))));
      }
    };
    check(op_sqrt, [&](double x) -> std::optional<int> {
      if (std::isnan(x) || x < 0) return std::nullopt;
      if (x == 0 || std::isinf(x)) return format.Round(x);
      return format.Nearest(false, [x](double m) { return x > m * m ? 1 : x < m * m ? -1 : 0; });
    });
    check(op_floor, [&](double x) { return format.Round(std::floor(x)); });
    check(op_ceil, [&](double x) { return format.Round(std::ceil(x)); });
    check(op_sign, [&](double x) { return format.Round(x > 0 ? 1 : x < 0 ? -1 : x); });
    check(op_abs, [&](double x) { return format.Round(std::fabs(x)); });
    check(op_negate, [&](double x) { return format.Round(-x); });
  }
}

}  // namespace
}  // namespace assay::testing
