// Complex functions: special values by hand, equality of both phases, arithmetic against exact integers.
// complex_functions_test.py checks values of the functions against mpmath.
#include "interpreter/numerics/complex.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/numerics/functions.h"
#include "interpreter/numerics/round.h"
#include "spec_tests/catch.h"
#include "spec_tests/nightly.h"
#include "spec_tests/numerics/exact_phase.h"
#include "spec_tests/special_numbers.h"

namespace assay {
namespace {

using testing::kInfinity, testing::kNan, testing::kPi;

template <class T>
const std::byte* Bytes(const std::vector<T>& values) {
  return reinterpret_cast<const std::byte*>(values.data());
}

template <class T>
std::byte* Bytes(std::vector<T>& values) {
  return reinterpret_cast<std::byte*>(values.data());
}

ComplexDouble Of(const ComplexUnary& function, ComplexDouble z, Phases phases = Phases::kBoth) {
  std::vector<ComplexDouble> in = {z};
  std::vector<ComplexDouble> out(1);
  Apply(phases, function, C128, Bytes(std::as_const(in)), Bytes(out), 1);
  return out[0];
}

ComplexDouble Of(const ComplexBinary& function, ComplexDouble x, ComplexDouble y) {
  std::vector<ComplexDouble> lhs = {x};
  std::vector<ComplexDouble> rhs = {y};
  std::vector<ComplexDouble> out(1);
  Apply(function, C128, Bytes(lhs), Bytes(rhs), Bytes(out), 1);
  return out[0];
}

bool SamePart(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

// Represents a part whose sign Annex G leaves open.
const double kZeroOfEitherSign = 12345;

bool Matches(ComplexDouble got, ComplexDouble want) {
  const auto part = [](double g, double w) { return w == kZeroOfEitherSign ? g == 0 : SamePart(g, w); };
  return part(got.real(), want.real()) && part(got.imag(), want.imag());
}

struct ComplexSpecial {
  const char* name;
  const ComplexUnary& function;
  ComplexDouble operand;
  ComplexDouble result;
};

// C17 Annex G.6; the rows below the line are functions that it does not have (docs/numerics.md#complex).
const ComplexSpecial kComplexSpecials[] = {
    {"exp", kComplexExp, {0, 0}, {1, 0}},
    {"exp", kComplexExp, {-0.0, -0.0}, {1, -0.0}},
    {"exp", kComplexExp, {1, kInfinity}, {kNan, kNan}},
    {"exp", kComplexExp, {kInfinity, 0}, {kInfinity, 0}},
    {"exp", kComplexExp, {-kInfinity, 2}, {-0.0, 0}},
    {"exp", kComplexExp, {kInfinity, 2}, {-kInfinity, kInfinity}},
    {"exp", kComplexExp, {-kInfinity, kInfinity}, {kZeroOfEitherSign, kZeroOfEitherSign}},
    {"exp", kComplexExp, {kNan, 0}, {kNan, 0}},
    {"exp", kComplexExp, {kNan, 1}, {kNan, kNan}},
    {"log", kComplexLog, {-0.0, 0}, {-kInfinity, kPi}},
    {"log", kComplexLog, {0, 0}, {-kInfinity, 0}},
    {"log", kComplexLog, {0, -0.0}, {-kInfinity, -0.0}},
    {"log", kComplexLog, {1, kInfinity}, {kInfinity, kPi / 2}},
    {"log", kComplexLog, {-kInfinity, 1}, {kInfinity, kPi}},
    {"log", kComplexLog, {-kInfinity, kInfinity}, {kInfinity, 0x1.2d97c7f3321d2p+1}},
    {"log", kComplexLog, {kInfinity, kInfinity}, {kInfinity, kPi / 4}},
    {"log", kComplexLog, {kInfinity, kNan}, {kInfinity, kNan}},
    {"log", kComplexLog, {-1, -0.0}, {0, -kPi}},
    {"log", kComplexLog, {1, 0}, {0, 0}},
    {"sqrt", kComplexSqrt, {-0.0, -0.0}, {0, -0.0}},
    {"sqrt", kComplexSqrt, {-4, 0}, {0, 2}},
    {"sqrt", kComplexSqrt, {-4, -0.0}, {0, -2}},
    {"sqrt", kComplexSqrt, {kNan, kInfinity}, {kInfinity, kInfinity}},
    {"sqrt", kComplexSqrt, {-kInfinity, 1}, {0, kInfinity}},
    {"sqrt", kComplexSqrt, {kInfinity, -1}, {kInfinity, -0.0}},
    {"sqrt", kComplexSqrt, {kInfinity, kNan}, {kInfinity, kNan}},
    {"sinh", kComplexSinh, {0, 0}, {0, 0}},
    {"sinh", kComplexSinh, {-0.0, 0}, {-0.0, 0}},
    {"sinh", kComplexSinh, {kInfinity, 0}, {kInfinity, 0}},
    {"sinh", kComplexSinh, {kInfinity, 2}, {-kInfinity, kInfinity}},
    {"sinh", kComplexSinh, {kNan, 0}, {kNan, 0}},
    {"cosh", kComplexCosh, {0, 0}, {1, 0}},
    {"cosh", kComplexCosh, {kInfinity, 2}, {-kInfinity, kInfinity}},
    {"cosh", kComplexCosh, {kInfinity, 0}, {kInfinity, 0}},
    {"cosh", kComplexCosh, {2, kInfinity}, {kNan, kNan}},
    {"tanh", kComplexTanh, {0, 0}, {0, 0}},
    {"tanh", kComplexTanh, {kInfinity, 1}, {1, 0}},
    {"tanh", kComplexTanh, {kInfinity, 2}, {1, -0.0}},
    {"tanh", kComplexTanh, {-1e300, 2}, {-1, -0.0}},
    {"tanh", kComplexTanh, {kInfinity, kInfinity}, {1, kZeroOfEitherSign}},
    {"tanh", kComplexTanh, {kNan, 0}, {kNan, 0}},
    {"sin", kComplexSin, {-0.0, 0}, {-0.0, 0}},
    {"sin", kComplexSin, {0, kInfinity}, {0, kInfinity}},
    {"cos", kComplexCos, {0, 0}, {1, -0.0}},
    {"tan", kComplexTan, {2, 1e300}, {-0.0, 1}},
    {"tan", kComplexTan, {1, kInfinity}, {0, 1}},
    {"acos", kComplexAcos, {0, 0}, {kPi / 2, -0.0}},
    {"acos", kComplexAcos, {0, kNan}, {kPi / 2, kNan}},
    {"acos", kComplexAcos, {1, kInfinity}, {kPi / 2, -kInfinity}},
    {"acos", kComplexAcos, {-kInfinity, 1}, {kPi, -kInfinity}},
    {"acos", kComplexAcos, {-kInfinity, kInfinity}, {0x1.2d97c7f3321d2p+1, -kInfinity}},
    {"asin", kComplexAsin, {0, 0}, {0, 0}},
    {"asin", kComplexAsin, {1, kInfinity}, {0, kInfinity}},
    {"atan", kComplexAtan, {0, 0}, {0, 0}},
    {"atan", kComplexAtan, {0, 1}, {0, kInfinity}},
    {"atan", kComplexAtan, {kInfinity, 1}, {kPi / 2, 0}},
    {"acosh", kComplexAcosh, {0, 0}, {0, kPi / 2}},
    {"acosh", kComplexAcosh, {-kInfinity, 1}, {kInfinity, kPi}},
    {"acosh", kComplexAcosh, {kInfinity, kInfinity}, {kInfinity, kPi / 4}},
    {"asinh", kComplexAsinh, {0, 0}, {0, 0}},
    {"asinh", kComplexAsinh, {kInfinity, 1}, {kInfinity, 0}},
    {"asinh", kComplexAsinh, {1, kInfinity}, {kInfinity, kPi / 2}},
    {"atanh", kComplexAtanh, {0, 0}, {0, 0}},
    {"atanh", kComplexAtanh, {1, 0}, {kInfinity, 0}},
    {"atanh", kComplexAtanh, {kInfinity, 1}, {0, kPi / 2}},
    {"atanh", kComplexAtanh, {0, kNan}, {0, kNan}},

    {"expm1", kComplexExpm1, {-0.0, -0.0}, {-0.0, -0.0}},
    {"expm1", kComplexExpm1, {-kInfinity, 1}, {-1, 0}},
    {"expm1", kComplexExpm1, {kInfinity, 0}, {kInfinity, 0}},
    {"expm1", kComplexExpm1, {1, kInfinity}, {kNan, kNan}},
    {"log1p", kComplexLog1p, {-0.0, -0.0}, {-0.0, -0.0}},
    {"log1p", kComplexLog1p, {-1, 0}, {-kInfinity, 0}},
    {"log1p", kComplexLog1p, {-1, 1}, {0, kPi / 2}},
    {"log1p", kComplexLog1p, {-2, 0}, {0, kPi}},
    {"log1p", kComplexLog1p, {-2, -0.0}, {0, -kPi}},
    {"log1p", kComplexLog1p, {-kInfinity, 1}, {kInfinity, kPi}},
    {"logistic", kComplexLogistic, {0, -0.0}, {0.5, -0.0}},
    {"logistic", kComplexLogistic, {kInfinity, 1}, {1, 0}},
    {"logistic", kComplexLogistic, {-kInfinity, 1}, {0, 0}},
    {"logistic", kComplexLogistic, {-kInfinity, 2}, {-0.0, 0}},
    {"rsqrt", kComplexRsqrt, {0, 0}, {kInfinity, kNan}},
    {"rsqrt", kComplexRsqrt, {-0.0, 0}, {kInfinity, kNan}},
    {"rsqrt", kComplexRsqrt, {-4, 0}, {0, -0.5}},
    {"rsqrt", kComplexRsqrt, {-4, -0.0}, {0, 0.5}},
    {"rsqrt", kComplexRsqrt, {4, 0}, {0.5, -0.0}},
    {"rsqrt", kComplexRsqrt, {0, 2}, {0.5, -0.5}},
    {"rsqrt", kComplexRsqrt, {kInfinity, 1}, {0, -0.0}},
    {"rsqrt", kComplexRsqrt, {kNan, 1}, {kNan, kNan}},
    {"cbrt", kComplexCbrt, {8, 0}, {2, 0}},
    {"cbrt", kComplexCbrt, {8, -0.0}, {2, -0.0}},
    {"cbrt", kComplexCbrt, {-8, 0}, {1, 0x1.bb67ae8584caap+0}},
    {"cbrt", kComplexCbrt, {-2, 2}, {1, 1}},
    {"cbrt", kComplexCbrt, {0, -0.0}, {0, -0.0}},
    {"cbrt", kComplexCbrt, {kInfinity, 1}, {kInfinity, 0}},
    {"sign", kComplexSign, {-0.0, 0}, {-0.0, 0}},
    {"sign", kComplexSign, {3, -4}, {0.6, -0.8}},
    {"sign", kComplexSign, {-7, 0}, {-1, 0}},
    {"sign", kComplexSign, {1, kInfinity}, {0, kNan}},
};

TEST_CASE("Complex functions have the special values of Annex G, in both phases") {
  for (const Phases phases : {Phases::kBoth, Phases::kExact}) {
    for (const ComplexSpecial& row : kComplexSpecials) {
      const ComplexDouble got = Of(row.function, row.operand, phases);
      CAPTURE(phases, std::string(row.name), row.operand, row.result, got);
      CHECK(Matches(got, row.result));
    }
  }
}

struct ComplexPairSpecial {
  const ComplexBinary& function;
  ComplexDouble lhs;
  ComplexDouble rhs;
  ComplexDouble result;
};

const ComplexPairSpecial kComplexPairSpecials[] = {
    {kComplexMultiply, {kInfinity, kNan}, {1, 1}, {kInfinity, kInfinity}},
    {kComplexMultiply, {0, 0}, {kInfinity, 0}, {kNan, kNan}},
    {kComplexMultiply, {0, 1}, {0, 1}, {-1, 0}},
    {kComplexDivide, {1, 0}, {0, 0}, {kInfinity, kNan}},
    {kComplexDivide, {0, 0}, {0, 0}, {kNan, kNan}},
    {kComplexDivide, {1, 1}, {kInfinity, 0}, {0, 0}},
    {kComplexDivide, {kInfinity, 1}, {1, 0}, {kInfinity, kNan}},
    {kComplexPow, {0, 0}, {0, 0}, {1, 0}},
    {kComplexPow, {kNan, 1}, {0, 0}, {1, 0}},
    {kComplexPow, {1, 0}, {kNan, 1}, {1, 0}},
    {kComplexPow, {0, 0}, {2, 3}, {0, 0}},
    {kComplexPow, {0, 0}, {-2, 0}, {kNan, kNan}},
    {kComplexPow, {0, 1}, {2, 0}, {-1, 0}},
    {kComplexPow, {3, 4}, {2, 0}, {-7, 24}},
    {kComplexPow, {-4, 0.0}, {0.5, 0}, {0, 2}},
    {kComplexPow, {-4, -0.0}, {0.5, 0}, {0, -2}},
    {kComplexPow, {-4, -0.0}, {1.5, 0}, {0, 8}},
    {kComplexPow, {-4, -0.0}, {0.25, 0}, {1, -1}},
    // w log z = u + iv. A zero v has the sign of the sum c angle + d log|z|.
    {kComplexPow, {4, -0.0}, {2, 0.0}, {16, 0.0}},
    {kComplexPow, {2, -0.0}, {3, -0.0}, {8, -0.0}},
    {kComplexPow, {0.5, 0.0}, {1, -0.0}, {0.5, 0.0}},
    // A part is +0 if v is any other multiple of pi / 2, also where e^u is beyond every number.
    {kComplexPow, {-2, 0.0}, {2, 0.0}, {4, 0.0}},
    {kComplexPow, {-2, -0.0}, {3, 0.0}, {-8, 0.0}},
    {kComplexPow, {-0.0, 1}, {3, 0.0}, {0.0, -1}},
    {kComplexPow, {2, -2}, {4, 0.0}, {-64, 0.0}},
    {kComplexPow, {2, -2}, {6, 0.0}, {0.0, 512}},
    {kComplexPow, {-1, 0.0}, {0.5, -1e200}, {0.0, kInfinity}},
    // 2^600 quarter turns, less 2^-400: the parts have the signs of 1 and -2^-400.
    {kComplexPow, {1, 0x1p1000}, {0x1p600, 0.0}, {kInfinity, -kInfinity}},
    {kComplexPow, {1, 0x1p1000}, {-0x1p600, 0.0}, {0.0, 0.0}},
    {kComplexPow, {-0x1p-1000, 0x1p0}, {0x1p600, 0x1p600}, {0.0, 0.0}},
    // The angle of 3 + 2^-1074 i is no double, and not zero.
    {kComplexPow, {3, 0x1p-1074}, {1, kInfinity}, {0.0, 0.0}},
    {kComplexPow, {3, 0x1p-1074}, {0x1p-1074, 0.0}, {1, 0.0}},
    {kComplexPow, {3, 3}, {0x1p-1074, 0.0}, {1, 0x1p-1074}},
    {kComplexPow, {1, 0x1p-1074}, {0x1p1023, 1}, {1, 0x1p-51}},
    {kComplexAtan2, {0, 0}, {0, 0}, {kNan, kNan}},
    {kComplexAtan2, {0, 0}, {-2, 0}, {kPi, 0}},
    {kComplexAtan2, {1, 0}, {0, 0}, {kPi / 2, 0}},
    {kComplexAtan2, {-2, 0}, {-2, 0}, {-3 * kPi / 4, 0}},
    {kComplexAtan2, {0, 2}, {0, 0}, {kPi / 2, 0}},
    {kComplexAtan2, {0, 1}, {1, 0}, {kNan, kNan}},
    {kComplexAtan2, {1, 0}, {kInfinity, 0}, {kNan, kNan}},
};

TEST_CASE("Complex functions of two numbers have their documented special values") {
  for (const ComplexPairSpecial& row : kComplexPairSpecials) {
    const ComplexDouble got = Of(row.function, row.lhs, row.rhs);
    CAPTURE(row.lhs, row.rhs, row.result, got);
    CHECK(Matches(got, row.result));
  }
}

std::vector<std::complex<float>> RandomC64(int count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const float edges[] = {
      0.0f, -0.0f, 1, -1, 2, 0.5f, 0x1p-149f, 0x1.fffffep127f, static_cast<float>(kInfinity), static_cast<float>(kNan)};
  const auto part = [&]() -> float {
    const std::uint64_t bits = random();
    if (bits % 8 == 0) return edges[(bits >> 8) % std::size(edges)];
    if (bits % 2 == 0) return std::bit_cast<float>(static_cast<std::uint32_t>(bits >> 32));
    return std::ldexp(static_cast<float>(static_cast<std::int32_t>(bits >> 32)), -30);
  };
  std::vector<std::complex<float>> values(static_cast<std::size_t>(count));
  for (auto& value : values) value = {part(), part()};
  return values;
}

bool SameC64(std::complex<float> a, std::complex<float> b) {
  return SamePart(a.real(), b.real()) && SamePart(a.imag(), b.imag());
}

TEST_CASE("Both phases of complex functions give the same c64 and c128 numbers, zeros and infinities included") {
  const std::pair<const char*, const ComplexUnary*> functions[] = {
      {"exp", &kComplexExp},     {"log", &kComplexLog},     {"sqrt", &kComplexSqrt},   {"rsqrt", &kComplexRsqrt},
      {"cbrt", &kComplexCbrt},   {"sign", &kComplexSign},   {"sin", &kComplexSin},     {"cos", &kComplexCos},
      {"tan", &kComplexTan},     {"asin", &kComplexAsin},   {"acos", &kComplexAcos},   {"atan", &kComplexAtan},
      {"sinh", &kComplexSinh},   {"cosh", &kComplexCosh},   {"tanh", &kComplexTanh},   {"asinh", &kComplexAsinh},
      {"acosh", &kComplexAcosh}, {"expm1", &kComplexExpm1}, {"log1p", &kComplexLog1p}, {"logistic", &kComplexLogistic},
      {"atanh", &kComplexAtanh},
  };
  const int count = testing::IsNightly("both phases of complex functions of 3000 numbers") ? 3000 : 900;
  const std::vector<std::complex<float>> narrow = RandomC64(count, 5);
  const std::vector<ComplexDouble> wide(narrow.begin(), narrow.begin() + count / 3);
  for (const auto& [name, function] : functions) {
    std::vector<std::complex<float>> both(narrow.size());
    std::vector<std::complex<float>> exact(narrow.size());
    std::vector<ComplexDouble> both_wide(wide.size());
    std::vector<ComplexDouble> exact_wide(wide.size());
    Apply(*function, C64, Bytes(narrow), Bytes(both), static_cast<std::int64_t>(narrow.size()));
    Apply(*function, C128, Bytes(wide), Bytes(both_wide), static_cast<std::int64_t>(wide.size()));
    ApplyExactly(*function, C64, Bytes(narrow), Bytes(exact), static_cast<std::int64_t>(narrow.size()));
    ApplyExactly(*function, C128, Bytes(wide), Bytes(exact_wide), static_cast<std::int64_t>(wide.size()));
    for (std::size_t i = 0; i < narrow.size(); ++i) {
      if (SameC64(both[i], exact[i])) continue;
      CAPTURE(std::string(name), narrow[i], both[i], exact[i]);
      CHECK(SameC64(both[i], exact[i]));
    }
    for (std::size_t i = 0; i < wide.size(); ++i) {
      if (Matches(both_wide[i], exact_wide[i])) continue;
      CAPTURE(std::string(name), wide[i], both_wide[i], exact_wide[i]);
      CHECK(Matches(both_wide[i], exact_wide[i]));
    }
  }
  CHECK(wide.size() == static_cast<std::size_t>(count) / 3);
}

TEST_CASE("The quick product and quotient of c64 numbers are the exact ones") {
  const std::vector<std::complex<float>> lhs = RandomC64(20000, 6);
  const std::vector<std::complex<float>> rhs = RandomC64(20000, 7);
  std::vector<std::complex<float>> both(lhs.size());
  std::vector<std::complex<float>> exact(lhs.size());
  using Operation = void (*)(PrimitiveType, const std::byte*, const std::byte*, std::byte*, std::int64_t);
  for (const auto& [operation, function] :
       {std::pair<Operation, const ComplexBinary*>{ComplexMultiply, &kComplexMultiply},
        std::pair<Operation, const ComplexBinary*>{ComplexDivide, &kComplexDivide}}) {
    operation(C64, Bytes(lhs), Bytes(rhs), Bytes(both), 20000);
    ApplyExactly(*function, C64, Bytes(lhs), Bytes(rhs), Bytes(exact), 20000);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < lhs.size(); ++i) {
      if (SameC64(both[i], exact[i]) || wrong++ > 5) continue;
      CAPTURE(function == &kComplexDivide, lhs[i], rhs[i], both[i], exact[i]);
      CHECK(SameC64(both[i], exact[i]));
    }
    CHECK(wrong == 0);
  }
}

// (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24 is halfway between two f32 numbers; less 2^-60, it is below the middle.
TEST_CASE("A complex product is rounded once") {
  const std::vector<std::complex<float>> lhs = {{1 + 0x1p-12f, 0x1p-30f}, {1 + 0x1p-12f, -0x1p-30f}};
  const std::vector<std::complex<float>> rhs = {{1 + 0x1p-12f, 0x1p-30f}, {1 + 0x1p-12f, 0x1p-30f}};
  std::vector<std::complex<float>> product(2);
  ComplexMultiply(C64, Bytes(lhs), Bytes(rhs), Bytes(product), 2);
  CHECK(product[0].real() == 1 + 0x1p-11f);
  CHECK(product[1].real() == 1 + 0x1p-11f + 0x1p-23f);
}

TEST_CASE("The length of a complex number is rounded once") {
  const std::vector<std::complex<float>> in = {{3, -4},
                                               {static_cast<float>(kNan), static_cast<float>(-kInfinity)},
                                               {0x1p-149f, 0},
                                               {3e38f, 3e38f},
                                               {71362 * 0x1p-149f, 71362 * 0x1p-149f}};
  std::vector<float> out(in.size());
  ComplexAbs(C64, Bytes(in), Bytes(out), 5);
  CHECK(out == std::vector<float>{5, static_cast<float>(kInfinity), 0x1p-149f, static_cast<float>(kInfinity),
                                  100921 * 0x1p-149f});
  const std::vector<ComplexDouble> wide = {{0x1p1000, 0x1p1000}};
  std::vector<double> length(1);
  ComplexAbs(C128, Bytes(wide), Bytes(length), 1);
  CHECK(length[0] == 0x1.6a09e667f3bcdp1000);
}

}  // namespace
}  // namespace assay
