// Ops that lose precision on purpose: convert, reduce-precision, stochastic-convert; and the parts of complex numbers.
#include <cmath>
#include <limits>

#include "spec_tests/ops/kernel.h"
#include "spec_tests/special_numbers.h"

namespace assay::testing {
namespace {

std::vector<double> ReducePrecision(PrimitiveType type, int exponent_bits, int mantissa_bits,
                                    const std::vector<double>& values) {
  return Numbers(RunOp(op_reduce_precision, {Reals(type, values)},
                       {{"exponent_bits", std::int64_t{exponent_bits}}, {"mantissa_bits", std::int64_t{mantissa_bits}}},
                       type));
}

TEST_CASE("reduce-precision rounds to even, overflows to infinity and has no subnormals") {
  // Like f16, except that subnormal numbers of f16 become zero.
  CHECK(ReducePrecision(F32, 5, 10, {65519, 65520, 65504, 1e5, 1e-8, 6e-5, 0x1p-14, 1 + 0x1p-11, 1 + 0x1.8p-10}) ==
        std::vector<double>{65504, kInfinity, 65504, kInfinity, 0, 0, 0x1p-14, 1, 1 + 0x1p-9});
  // A mantissa that rounds up to the least normal number is not flushed first.
  CHECK(ReducePrecision(F32, 5, 10, {0x1.fffffep-15}) == std::vector<double>{0x1p-14});
  CHECK(ReducePrecision(F32, 8, 7, {1 + 0x1p-8, 1 + 0x1.8p-7, 0x1.ffp127, 0x1.fdfffep127}) ==
        std::vector<double>{1, 1 + 0x1p-6, kInfinity, 0x1.fep127});
  CHECK(ReducePrecision(F32, 4, 3, {240, 248, 250, 256, 0.001, 0x1p-6, 0x1p-7, 1.0625}) ==
        std::vector<double>{240, kInfinity, kInfinity, kInfinity, 0, 0x1p-6, 0, 1});
  CHECK(ReducePrecision(F32, 5, 2, {57344, 61440, 61439, 1.125, 1.375}) ==
        std::vector<double>{57344, kInfinity, 57344, 1, 1.5});
  CHECK(ReducePrecision(F16, 5, 2, {57344, 61440, 1.125, 0x1p-24}) == std::vector<double>{57344, kInfinity, 1, 0});
  CHECK(ReducePrecision(F64, 8, 23, {1e39, 1e-40, 1 + 0x1p-24}) == std::vector<double>{kInfinity, 0, 1});
}

TEST_CASE("reduce-precision to no mantissa bits rounds the exponent to even") {
  CHECK(ReducePrecision(F32, 8, 0, {1.5, 1.49, 3, 6, 2.9}) == std::vector<double>{2, 1, 2, 8, 2});
}

TEST_CASE("reduce-precision to one exponent bit leaves no normal numbers") {
  CHECK(ReducePrecision(F32, 1, 2, {1, 1.5, 2, 0.5, 3}) == std::vector<double>{0, 0, kInfinity, 0, kInfinity});
}

TEST_CASE("reduce-precision changes nothing where the type has no more bits") {
  for (const int more : {0, 1, 40}) {
    CHECK(ReducePrecision(F32, 8 + more, 23 + more, {0x1p-149, -0x1.fffffep127, 1 + 0x1p-23}) ==
          std::vector<double>{0x1p-149, -0x1.fffffep127, 1 + 0x1p-23});
    CHECK(ReducePrecision(F64, 11 + more, 52 + more, {0x1p-1074, 1.1}) == std::vector<double>{0x1p-1074, 1.1});
    CHECK(ReducePrecision(F8E4M3FN, 4 + more, 3 + more, {448, 0x1p-9}) == std::vector<double>{448, 0x1p-9});
  }
  // Mantissa bits of a subnormal are those of its code.
  CHECK(ReducePrecision(F32, 8, 7, {1e-40}) == std::vector<double>{0x1p-133});
}

TEST_CASE("reduce-precision keeps the sign of zero, infinities and NaN") {
  const std::vector<double> got = ReducePrecision(F32, 5, 10, {-0.0, -1e-8, -kInfinity, -1e30, kNan});
  CHECK((got[0] == 0 && std::signbit(got[0])));
  CHECK((got[1] == 0 && std::signbit(got[1])));
  CHECK(got[2] == -kInfinity);
  CHECK(got[3] == -kInfinity);
  CHECK(std::isnan(got[4]));
  const Attributes to_e8m0 = {{"exponent_bits", std::int64_t{8}}, {"mantissa_bits", std::int64_t{0}}};
  CHECK(ToBits(RunOp(op_reduce_precision, {FromBits(F32, {0x7f800001, 0xffc12345})}, to_e8m0, F32)) ==
        std::vector<std::uint64_t>{0x7f800001, 0xffc12345});
}

TEST_CASE("reduce-precision in a format without infinity overflows as the format does") {
  const Attributes to_e3m3 = {{"exponent_bits", std::int64_t{3}}, {"mantissa_bits", std::int64_t{3}}};
  CHECK(ToBits(RunOp(op_reduce_precision, {Reals(F8E4M3FN, {15, 16, -16, 0.125})}, to_e3m3, F8E4M3FN)) ==
        std::vector<std::uint64_t>{0x57, 0x7f, 0xff, 0});
}

TEST_CASE("convert rounds once") {
  CHECK(Numbers(RunOp(op_convert, {Reals(F64, {1 + 0x1p-8 + 0x1p-30})}, {}, BF16)) == std::vector<double>{1 + 0x1p-7});
  CHECK(ToIntegers(RunOp(op_convert, {Reals(F32, {kInfinity, -kInfinity, kNan, 1.9, -1.9, 300})}, {}, S8)) ==
        std::vector<std::int64_t>{127, -128, 0, 1, -1, 127});
  CHECK(ToIntegers(RunOp(op_convert, {Integers(S32, {300, -129})}, {}, S8)) == std::vector<std::int64_t>{44, 127});
  CHECK(Numbers(RunOp(op_convert, {Array(C64, {1}, {3, 4})}, {}, F32)) == std::vector<double>{3});
  CHECK(Numbers(RunOp(op_convert, {Integers(PRED, {0, 1})}, {}, C64)) == std::vector<double>{0, 0, 1, 0});
}

std::vector<double> Stochastic(const Literal& operand, const Literal& random, PrimitiveType to) {
  return Numbers(RunOp(op_stochastic_convert, {operand, random}, {}, to));
}

TEST_CASE("stochastic-convert to integers rounds away from zero when the random number is below the fraction") {
  // A quarter of 2^32 is 2^30.
  const std::vector<std::int64_t> random = {0, (1 << 30) - 1, 1 << 30, std::int64_t{1} << 31, 0xffffffff};
  CHECK(Stochastic(Reals(F32, {1.25, 1.25, 1.25, 1.25, 1.25}), Integers(U32, random), S8) ==
        std::vector<double>{2, 2, 1, 1, 1});
  CHECK(Stochastic(Reals(F32, {-1.25, -1.25, -1.25, -1.25, -1.25}), Integers(U32, random), S8) ==
        std::vector<double>{-2, -2, -1, -1, -1});
  CHECK(Stochastic(Reals(F32, {3, 0, kNan, kInfinity, -kInfinity}), Integers(U32, {0, 0, 0, 0, 0}), S8) ==
        std::vector<double>{3, 0, 0, 127, -128});
  CHECK(Stochastic(Reals(F32, {127.5, -128.5, 1e10, 126.5, -127.5}), Integers(U32, {0, 0, 0, 0, 0}), S8) ==
        std::vector<double>{127, -128, 127, 127, -128});
  CHECK(Stochastic(Reals(F32, {-0.5, 0.5, 300}), Integers(U32, {0, 0, 0}), U8) == std::vector<double>{0, 1, 255});
  CHECK(Stochastic(Reals(BF16, {0.5, 0.5}), Integers(U16, {32767, 32768}), S32) == std::vector<double>{1, 0});
}

TEST_CASE("stochastic-convert to floats cuts at the last place of the result") {
  // 1 + 2^-9 is a quarter of the way from 1 to 1 + 2^-7 in bf16.
  const std::vector<std::int64_t> random = {(1 << 30) - 1, 1 << 30};
  CHECK(Stochastic(Reals(F32, {1 + 0x1p-9, 1 + 0x1p-9}), Integers(U32, random), BF16) ==
        std::vector<double>{1 + 0x1p-7, 1});
  CHECK(Stochastic(Reals(F32, {-1 - 0x1p-9, -1 - 0x1p-9}), Integers(U32, random), BF16) ==
        std::vector<double>{-1 - 0x1p-7, -1});
  // A quarter of f16's least subnormal.
  CHECK(Stochastic(Reals(F32, {0x1p-26, 0x1p-26}), Integers(U32, random), F16) == std::vector<double>{0x1p-24, 0});
  CHECK(Stochastic(Reals(F32, {65505, 1e10}), Integers(U32, {0, 0}), F16) == std::vector<double>{kInfinity, kInfinity});
  CHECK(Stochastic(Reals(F32, {0x1p-130}), Integers(U32, {0}), F8E8M0FNU) == std::vector<double>{0x1p-127});
}

TEST_CASE("The share of results rounded up is the fraction") {
  std::vector<double> values(256, 5.375);
  std::vector<std::int64_t> random(256);
  for (int i = 0; i < 256; ++i) random[i] = i * 256;
  int up = 0;
  for (const double result : Stochastic(Reals(BF16, values), Integers(U16, random), S16)) {
    CHECK((result == 5 || result == 6));
    up += result == 6;
  }
  CHECK(up == 96);  // 0.375 * 256
}

TEST_CASE("complex, real and imag keep the bits of parts") {
  const Literal z = RunOp(op_complex, {Reals(F32, {1, -0.0, kInfinity}), Reals(F32, {2, 3, -0.0})});
  CHECK(z.element_type() == C64);
  CHECK(ToBits(z) ==
        std::vector<std::uint64_t>{0x3f800000, 0x40000000, 0x80000000, 0x40400000, 0x7f800000, 0x80000000});
  CHECK(ToBits(RunOp(op_real, {z})) == std::vector<std::uint64_t>{0x3f800000, 0x80000000, 0x7f800000});
  CHECK(ToBits(RunOp(op_imag, {z})) == std::vector<std::uint64_t>{0x40000000, 0x40400000, 0x80000000});
  CHECK(Numbers(RunOp(op_real, {Reals(BF16, {3, -1})})) == std::vector<double>{3, -1});
  CHECK(ToBits(RunOp(op_imag, {Reals(BF16, {3, -1})})) == std::vector<std::uint64_t>{0, 0});
}

TEST_CASE("Arithmetic of complex numbers") {
  const auto compute = [](const Op& op, std::vector<double> a, std::vector<double> b) {
    return Numbers(RunOp(op, {Array(C128, {1}, a), Array(C128, {1}, b)}));
  };
  using Parts = std::vector<double>;
  CHECK(compute(op_add, {1, 2}, {3, -5}) == Parts{4, -3});
  CHECK(compute(op_subtract, {1, 2}, {3, -5}) == Parts{-2, 7});
  CHECK(compute(op_multiply, {1, 2}, {3, -5}) == Parts{13, 1});
  CHECK(compute(op_divide, {13, 1}, {3, -5}) == Parts{1, 2});
  CHECK(compute(op_power, {0, 2}, {2, 0}) == Parts{-4, 0});
  // The exact parts, rounded once: as an intermediate result, (2^53 + 1) would be rounded.
  CHECK(compute(op_multiply, {0x1p27 + 1, 1}, {0x1p27 - 1, 1}) == Parts{0x1p54 - 2, 0x1p28});
  CHECK(Numbers(RunOp(op_negate, {Array(C64, {1}, {1, -2})})) == Parts{-1, 2});
  CHECK(Numbers(RunOp(op_abs, {Array(C64, {2}, {3, -4, 0x1p127, 0})})) == Parts{5, 0x1p127});
  CHECK(RunOp(op_abs, {Array(C128, {1}, {3, 4})}).element_type() == F64);
  CHECK(Numbers(RunOp(op_sign, {Array(C64, {2}, {0, -2, 0, 0})})) == Parts{0, -1, 0, 0});
  CHECK(Numbers(RunOp(op_sqrt, {Array(C64, {1}, {-4, 0})})) == Parts{0, 2});
  CHECK(Numbers(RunOp(op_exponential, {Array(C64, {1}, {0, 0})})) == Parts{1, 0});
}

}  // namespace
}  // namespace assay::testing
