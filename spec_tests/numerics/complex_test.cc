// Complex functions: special values by hand, equality of both phases, arithmetic against exact integers.
// complex_functions_test.py checks values of the functions against mpmath.
#include "interpreter/numerics/complex.h"

#include <bit>
#include <cmath>
#include <random>
#include <utility>

#include "interpreter/numerics/round.h"
#include "spec_tests/numerics/exact_phase.h"
#include "spec_tests/numerics/special_rows.h"

namespace assay {
namespace {

using testing::kInfinity, testing::kNan, testing::SameNumber;

template <class T>
const std::byte* Bytes(const std::vector<T>& values) {
  return reinterpret_cast<const std::byte*>(values.data());
}

template <class T>
std::byte* Bytes(std::vector<T>& values) {
  return reinterpret_cast<std::byte*>(values.data());
}

template <class Function, class... Operands>
ComplexDouble Of(Phases phases, const Function& function, Operands... operands) {
  ComplexDouble result;
  Apply(phases, function, C128, reinterpret_cast<const std::byte*>(&operands)..., reinterpret_cast<std::byte*>(&result),
        1);
  return result;
}

// Represents a part whose sign the definition leaves open.
const double kZeroOfEitherSign = 12345;

bool Matches(ComplexDouble got, ComplexDouble want) {
  const auto part = [](double g, double w) { return w == kZeroOfEitherSign ? g == 0 : SameNumber(g, w); };
  return part(got.real(), want.real()) && part(got.imag(), want.imag());
}

struct ComplexSpecials {
  const ComplexUnary& function;
  std::string_view rows;  // both parts of the operand and of the result; "?" is a zero whose sign Annex G leaves open
};

// C17 Annex G.6; the rows below the line are functions that it does not have (docs/numerics.md#complex).
const ComplexSpecials kComplexSpecials[] = {
    {kComplexExp,
     "0 0 = 1 0; -0 -0 = 1 -0; 1 inf = nan nan; inf 0 = inf 0; -inf 2 = -0 0; inf 2 = -inf inf; -inf inf = ? ?; "
     "nan 0 = nan 0; nan 1 = nan nan"},
    {kComplexLog,
     "-0 0 = -inf pi; 0 0 = -inf 0; 0 -0 = -inf -0; 1 inf = inf pi/2; -inf 1 = inf pi; "
     "-inf inf = inf 0x1.2d97c7f3321d2p+1; inf inf = inf pi/4; inf nan = inf nan; -1 -0 = 0 -pi; 1 0 = 0 0"},
    {kComplexSqrt,
     "-0 -0 = 0 -0; -4 0 = 0 2; -4 -0 = 0 -2; nan inf = inf inf; -inf 1 = 0 inf; inf -1 = inf -0; inf nan = inf nan"},
    {kComplexSinh, "0 0 = 0 0; -0 0 = -0 0; inf 0 = inf 0; inf 2 = -inf inf; nan 0 = nan 0"},
    {kComplexCosh, "0 0 = 1 0; inf 2 = -inf inf; inf 0 = inf 0; 2 inf = nan nan"},
    {kComplexTanh, "0 0 = 0 0; inf 1 = 1 0; inf 2 = 1 -0; -1e300 2 = -1 -0; inf inf = 1 ?; nan 0 = nan 0"},
    {kComplexSin, "-0 0 = -0 0; 0 inf = 0 inf"},
    {kComplexCos, "0 0 = 1 -0"},
    {kComplexTan, "2 1e300 = -0 1; 1 inf = 0 1"},
    {kComplexAcos,
     "0 0 = pi/2 -0; 0 nan = pi/2 nan; 1 inf = pi/2 -inf; -inf 1 = pi -inf; -inf inf = 0x1.2d97c7f3321d2p+1 -inf"},
    {kComplexAsin, "0 0 = 0 0; 1 inf = 0 inf"},
    {kComplexAtan, "0 0 = 0 0; 0 1 = 0 inf; inf 1 = pi/2 0"},
    {kComplexAcosh, "0 0 = 0 pi/2; -inf 1 = inf pi; inf inf = inf pi/4"},
    {kComplexAsinh, "0 0 = 0 0; inf 1 = inf 0; 1 inf = inf pi/2"},
    {kComplexAtanh, "0 0 = 0 0; 1 0 = inf 0; inf 1 = 0 pi/2; 0 nan = 0 nan"},

    {kComplexExpm1, "-0 -0 = -0 -0; -inf 1 = -1 0; inf 0 = inf 0; 1 inf = nan nan"},
    {kComplexLog1p, "-0 -0 = -0 -0; -1 0 = -inf 0; -1 1 = 0 pi/2; -2 0 = 0 pi; -2 -0 = 0 -pi; -inf 1 = inf pi"},
    {kComplexLogistic, "0 -0 = 0.5 -0; inf 1 = 1 0; -inf 1 = 0 0; -inf 2 = -0 0"},
    {kComplexRsqrt,
     "0 0 = inf nan; -0 0 = inf nan; -4 0 = 0 -0.5; -4 -0 = 0 0.5; 4 0 = 0.5 -0; 0 2 = 0.5 -0.5; inf 1 = 0 -0; "
     "nan 1 = nan nan"},
    {kComplexCbrt, "8 0 = 2 0; 8 -0 = 2 -0; -8 0 = 1 0x1.bb67ae8584caap+0; -2 2 = 1 1; 0 -0 = 0 -0; inf 1 = inf 0"},
    {kComplexSign, "-0 0 = -0 0; 3 -4 = 0.6 -0.8; -7 0 = -1 0; 1 inf = 0 nan"},

    // Parts so small that MPC would work at thousands of bits. The results are mpmath's with 3000 bits, rounded once.
    {kComplexTan,
     "0x1p-10 0x1p-1060 = 0x1.0000055555777p-10 0x1p-1060; -0x1p-10 0x1p-1060 = -0x1.0000055555777p-10 0x1p-1060; "
     "0x1p-1000 350 = 0 1; 0x1p-1000 -350 = 0 -1"},
    {kComplexTanh,
     "0x1p-1060 1.5 = 0x0.000000031f667p-1022 0x1.c33ed50b88777p+3; "
     "-0x1p-1060 1.5 = -0x0.000000031f667p-1022 0x1.c33ed50b88777p+3; 0x1p-1060 0x1p-700 = 0x1p-1060 0x1p-700; "
     "20 -0x1p-1000 = 1 -0x0.000000004e5e5p-1022"},
};

TEST_CASE("Complex functions have the special values of Annex G, and those of tiny parts, in both phases") {
  for (const Phases phases : {Phases::kBoth, Phases::kExact}) {
    for (const auto& [function, rows] : kComplexSpecials) {
      for (const auto& [x, y, real, imaginary] : testing::RowsOf<4>(rows, kZeroOfEitherSign)) {
        const ComplexDouble operand(x, y), result(real, imaginary), got = Of(phases, function, operand);
        CAPTURE(phases, rows, operand, result, got);
        CHECK(Matches(got, result));
      }
    }
  }
}

struct ComplexPairSpecials {
  const ComplexBinary& function;
  std::string_view rows;  // both parts of the operands and of the result; "?" is a zero of either sign
};

const ComplexPairSpecials kComplexPairSpecials[] = {
    {kComplexMultiply, "inf nan, 1 1 = inf inf; 0 0, inf 0 = nan nan; 0 1, 0 1 = -1 0"},
    {kComplexDivide, "1 0, 0 0 = inf nan; 0 0, 0 0 = nan nan; 1 1, inf 0 = 0 0; inf 1, 1 0 = inf nan"},
    {kComplexPow,
     "0 0, 0 0 = 1 0; nan 1, 0 0 = 1 0; 1 0, nan 1 = 1 0; 0 0, 2 3 = 0 0; 0 0, -2 0 = nan nan; 0 1, 2 0 = -1 0; "
     "3 4, 2 0 = -7 24; -4 0, 0.5 0 = 0 2; -4 -0, 0.5 0 = 0 -2; -4 -0, 1.5 0 = 0 8; -4 -0, 0.25 0 = 1 -1"},
    // w log z = u + iv. A zero v has the sign of the sum c angle + d log|z|.
    {kComplexPow, "4 -0, 2 0 = 16 0; 2 -0, 3 -0 = 8 -0; 0.5 0, 1 -0 = 0.5 0"},
    // A part is +0 if v is any other multiple of pi / 2, also where e^u is beyond every number.
    {kComplexPow,
     "-2 0, 2 0 = 4 0; -2 -0, 3 0 = -8 0; -0 1, 3 0 = 0 -1; 2 -2, 4 0 = -64 0; 2 -2, 6 0 = 0 512; "
     "-1 0, 0.5 -1e200 = 0 inf"},
    // 2^600 quarter turns, less 2^-400: the parts have the signs of 1 and -2^-400.
    {kComplexPow,
     "1 0x1p1000, 0x1p600 0 = inf -inf; 1 0x1p1000, -0x1p600 0 = 0 0; -0x1p-1000 0x1p0, 0x1p600 0x1p600 = 0 0"},
    // The angle of 3 + 2^-1074 i is no double, and not zero.
    {kComplexPow,
     "3 0x1p-1074, 1 inf = 0 0; 3 0x1p-1074, 0x1p-1074 0 = 1 0; 3 3, 0x1p-1074 0 = 1 0x1p-1074; "
     "1 0x1p-1074, 0x1p1023 1 = 1 0x1p-51"},
    // Powers beyond every format. MPC does not end at the edge of its own range, such as 2^(-2^62). The signs are
    // mpmath's.
    {kComplexPow,
     "2 0, -0x1p62 -0x1p62 = 0 0; 2 0, -0x1p62 -0x1p63 = -0 0; 2 0, -0x1p62 0 = 0 ?; 0.5 0, 0x1p62 2 = 0 -0; "
     "0 2, -0x1p62 0 = 0 ?; 0 2, -0x1.ffffffffffffep60 0 = 0 ?; 0 2, -0xffffffp0 0 = ? 0; 1 1, -0x1p63 0 = 0 ?; "
     "1 1, -0x1000001p0 0 = 0 -0; 0 1, 2 -0x1p62 = -inf ?; 3 5, 1e300 -2e299 = inf -inf; "
     "1e300 1e-300, -1e300 1e-300 = 0 0; -2 -0, -0x1p40 1 = 0 0"},
    {kComplexAtan2,
     "0 0, 0 0 = nan nan; 0 0, -2 0 = pi 0; 1 0, 0 0 = pi/2 0; -2 0, -2 0 = -0x1.2d97c7f3321d2p+1 0; 0 2, 0 0 = pi/2 "
     "0; "
     "0 1, 1 0 = nan nan; 1 0, inf 0 = nan nan"},
};

TEST_CASE("Complex functions of two numbers have their documented special values") {
  for (const auto& [function, rows] : kComplexPairSpecials) {
    for (const auto& [a, b, c, d, real, imaginary] : testing::RowsOf<6>(rows, kZeroOfEitherSign)) {
      const ComplexDouble lhs(a, b), rhs(c, d), result(real, imaginary), got = Of(Phases::kBoth, function, lhs, rhs);
      CAPTURE(lhs, rhs, result, got);
      CHECK(Matches(got, result));
    }
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
  return SameNumber(a.real(), b.real()) && SameNumber(a.imag(), b.imag());
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
