// The formats, against the table of their published limits.
#include "interpreter/types/float_format.h"

#include <cmath>

#include "interpreter/numerics/round.h"
#include "spec_tests/catch.h"

namespace assay {
namespace {

struct Limits {
  PrimitiveType type;
  double max_finite;
  double min_normal;
  double min_subnormal;
  int nans;        // codes that are NaN
  int infinities;  // codes that are infinite
};

// IEEE 754-2019 table 3.5; OCP OFP8 and MX specifications; the LLVM APFloat semantics for the fnuz and b11 formats.
const Limits kLimits[] = {
    {F16, 65504, 0x1p-14, 0x1p-24, 2 * 1023, 2},
    {BF16, 0x1.fep127, 0x1p-126, 0x1p-133, 2 * 127, 2},
    {F8E5M2, 57344, 0x1p-14, 0x1p-16, 6, 2},
    {F8E4M3, 240, 0x1p-6, 0x1p-9, 14, 2},
    {F8E3M4, 15.5, 0x1p-2, 0x1p-6, 30, 2},
    {F8E4M3FN, 448, 0x1p-6, 0x1p-9, 2, 0},
    {F8E4M3B11FNUZ, 30, 0x1p-10, 0x1p-13, 1, 0},
    {F8E5M2FNUZ, 57344, 0x1p-15, 0x1p-17, 1, 0},
    {F8E4M3FNUZ, 240, 0x1p-7, 0x1p-10, 1, 0},
    {F8E8M0FNU, 0x1p127, 0x1p-127, 0x1p-127, 1, 0},
    {F6E3M2FN, 28, 0x1p-2, 0x1p-4, 0, 0},
    {F6E2M3FN, 7.5, 1, 0x1p-3, 0, 0},
    {F4E2M1FN, 6, 1, 0.5, 0, 0},
};

TEST_CASE("Narrow formats have their published limits") {
  for (const Limits& row : kLimits) {
    const FloatFormat& format = FloatFormatOf(row.type);
    CAPTURE(PrimitiveTypeName(row.type));
    CHECK(format.bits() == BitWidth(row.type));
    double greatest = 0;
    double least = INFINITY;
    int nans = 0;
    int infinities = 0;
    for (int code = 0; code < 1 << format.bits(); ++code) {
      const double value = ToDouble(format, code);
      CHECK(std::isnan(value) == format.is_nan(code));
      CHECK(std::isinf(value) == format.is_infinity(code));
      nans += std::isnan(value) ? 1 : 0;
      infinities += std::isinf(value) ? 1 : 0;
      if (std::isfinite(value)) greatest = std::fmax(greatest, value);
      if (value > 0) least = std::fmin(least, value);
    }
    CHECK(greatest == row.max_finite);
    CHECK(ToDouble(format, format.max_finite_bits()) == row.max_finite);
    CHECK(std::ldexp(1.0, format.min_exponent()) == row.min_normal);
    CHECK(least == row.min_subnormal);
    CHECK(nans == row.nans);
    CHECK(infinities == row.infinities);
  }
}

TEST_CASE("f32 and f64 decode as the hardware does") {
  CHECK(ToDouble(FloatFormatOf(F32), 0x7f7fffff) == 0x1.fffffep127);
  CHECK(ToDouble(FloatFormatOf(F32), 0x80000001) == -0x1p-149);
  CHECK(ToDouble(FloatFormatOf(F64), 0x7fefffffffffffff) == 0x1.fffffffffffffp1023);
  CHECK(ToDouble(FloatFormatOf(F64), 1) == 0x1p-1074);
  CHECK(FloatFormatOf(F64).max_finite_bits() == 0x7fefffffffffffff);
  CHECK(FloatFormatOf(F32).overflow_bits(true) == 0xff800000);
  CHECK(FloatFormatOf(F32).nan_bits(false) == 0x7fc00000);
}

// Values that ml_dtypes 0.6.0 and XLA:CPU of jaxlib 0.10.2 both give for a conversion from f32.
TEST_CASE("Numbers beyond a format convert as in ml_dtypes and XLA") {
  const auto bits = [](PrimitiveType type, double value) { return RoundDouble(FloatFormatOf(type), value); };
  CHECK(bits(F8E4M3FN, 464) == 0x7e);
  CHECK(bits(F8E4M3FN, 465) == 0x7f);
  CHECK(bits(F8E4M3FN, -INFINITY) == 0xff);
  CHECK(bits(F8E4M3FNUZ, -1e10) == 0x80);
  CHECK(bits(F8E4M3FNUZ, -0.0) == 0x00);
  CHECK(bits(F8E5M2FNUZ, -1e-30) == 0x00);
  CHECK(bits(F8E5M2, -61440) == 0xfc);
  CHECK(bits(F4E2M1FN, INFINITY) == 0x7);
  CHECK(bits(F4E2M1FN, -1e10) == 0xf);
  CHECK(bits(F4E2M1FN, NAN) == 0x8);
  CHECK(bits(F6E3M2FN, std::copysign(NAN, -1.0)) == 0x00);
  CHECK(bits(F6E2M3FN, NAN) == 0x20);
  CHECK(bits(F8E8M0FNU, 0.0) == 0xff);
  CHECK(bits(F8E8M0FNU, -0.0) == 0xff);
  CHECK(bits(F8E8M0FNU, -500) == 0xff);
  CHECK(bits(F8E8M0FNU, 0x1p-149) == 0x00);
  CHECK(bits(F8E8M0FNU, 1.5) == 0x80);
  CHECK(bits(F8E8M0FNU, 3) == 0x81);
  CHECK(bits(F8E8M0FNU, 0x1.8p127) == 0xff);
}

TEST_CASE("A NaN keeps its sign and the leading bits of its payload, and is quiet") {
  const double signaling = ToDouble(FloatFormatOf(F32), 0xff812345);
  CHECK(RoundDouble(FloatFormatOf(F32), signaling) == 0xffc12345);
  CHECK(RoundDouble(FloatFormatOf(F16), signaling) == 0xfe09);
  CHECK(RoundDouble(FloatFormatOf(BF16), signaling) == 0xffc1);
  CHECK(RoundDouble(FloatFormatOf(F8E5M2), signaling) == 0xfe);
}

}  // namespace
}  // namespace assay
