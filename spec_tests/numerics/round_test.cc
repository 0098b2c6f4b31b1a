// Round and the block conversions against a definition of rounding without arithmetic on bits: the nearest value of the
// format; of two equally near ones, the one with the even code.
#include "interpreter/numerics/round.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "spec_tests/catch.h"
#include "spec_tests/numerics/float_types.h"
#include "spec_tests/numerics/rounding_reference.h"

namespace assay {
namespace {

using testing::FloatTypes;

// Values, midpoints, and the doubles on either side of each.
std::vector<double> EdgeInputs(const NearestValue& nearest) {
  std::vector<double> inputs = {0.0, 0x1p-1074, 1e-300, 1e300, 0x1.fffffffffffffp1023};
  std::vector<double> points = nearest.values();
  points.push_back(nearest.beyond());
  const auto add = [&](double point) {
    for (const double x : {std::nextafter(point, 0.0), point, std::nextafter(point, INFINITY)}) inputs.push_back(x);
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    add(points[i]);
    if (i > 0) add(points[i - 1] + (points[i] - points[i - 1]) / 2);
  }
  const std::size_t count = inputs.size();
  for (std::size_t i = 0; i < count; ++i) inputs.push_back(-inputs[i]);
  return inputs;
}

TEST_CASE("Rounding to every narrow format takes the nearest value, ties to even") {
  for (const PrimitiveType type : FloatTypes(16)) {
    CAPTURE(PrimitiveTypeName(type));
    const FloatFormat& format = FloatFormatOf(type);
    const NearestValue nearest(format);
    std::vector<double> inputs = EdgeInputs(nearest);
    std::mt19937_64 random(20240501);
    std::uniform_real_distribution<double> exponent(format.min_exponent() - format.mantissa_bits - 3.0,
                                                    std::log2(nearest.beyond()) + 2.0);
    for (int i = 0; i < 20000; ++i) inputs.push_back((random() % 2 != 0 ? 1 : -1) * std::exp2(exponent(random)));
    const std::vector<std::byte> stored = Store(type, inputs);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const std::uint64_t want = nearest.Round(inputs[i]);
      const bool right = RoundDouble(format, inputs[i]) == want && StoredCode(type, stored, i) == want;
      if (!right && wrong++ < 5) {
        CAPTURE(inputs[i], want);
        CHECK(RoundDouble(format, inputs[i]) == want);
        CHECK(StoredCode(type, stored, i) == want);
      }
    }
    CHECK(wrong == 0);
  }
}

std::vector<double> RandomDoubles(int count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<double> values;
  for (int i = 0; i < count; ++i) {
    std::uint64_t bits = random();
    // Half of them within reach of f32's exponents, and a third of those at or beside a tie of f32.
    if (i % 2 == 0) bits = (bits & 0x800fffffffffffff) | ((std::uint64_t{1023 - 155} + bits % 290) << 52);
    if (i % 6 == 0) bits = (bits & ~std::uint64_t{0x1fffffff}) + 0xfffffff + bits % 3;
    values.push_back(std::bit_cast<double>(bits));
  }
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double x : {0.0, -0.0, infinity, -infinity, nan, -nan, 0x1p-149, 0x1p-150, 0x1.8p-149, 0x1.ffffffp127}) {
    values.push_back(x);
  }
  return values;
}

TEST_CASE("Rounding a double to f32 and f64 agrees with the hardware") {
  const std::vector<double> values = RandomDoubles(200000, 7);
  const std::vector<std::byte> f32 = Store(F32, values);
  const std::vector<std::byte> f64 = Store(F64, values);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto hardware = std::bit_cast<std::uint32_t>(static_cast<float>(values[i]));
    if (RoundDouble(FloatFormatOf(F32), values[i]) != hardware || StoredCode(F32, f32, i) != hardware) ++wrong;
    if (StoredCode(F64, f64, i) != std::bit_cast<std::uint64_t>(values[i])) ++wrong;
    if (std::isnan(values[i])) continue;
    if (RoundDouble(FloatFormatOf(F64), values[i]) != std::bit_cast<std::uint64_t>(values[i])) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("Storing equals Round for every format, NaN and infinity included") {
  const std::vector<double> values = RandomDoubles(100000, 8);
  for (const PrimitiveType type : FloatTypes(32)) {
    CAPTURE(PrimitiveTypeName(type));
    const std::vector<std::byte> stored = Store(type, values);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (StoredCode(type, stored, i) != RoundDouble(FloatFormatOf(type), values[i])) ++wrong;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("Loading a pattern and storing it gives the pattern back") {
  for (const PrimitiveType type : FloatTypes(16)) {
    CAPTURE(PrimitiveTypeName(type));
    const FloatFormat& format = FloatFormatOf(type);
    const auto width = static_cast<std::size_t>(StorageBytes(type));
    const std::uint64_t count = std::uint64_t{1} << format.bits();
    std::vector<std::byte> codes(count * width);
    for (std::uint64_t code = 0; code < count; ++code) std::memcpy(codes.data() + code * width, &code, width);
    std::vector<double> values(count);
    LoadReals(type, codes.data(), values.data(), static_cast<std::int64_t>(count));
    const std::vector<std::byte> stored = Store(type, values);
    std::size_t wrong = 0;
    for (std::uint64_t code = 0; code < count; ++code) {
      if (std::bit_cast<std::uint64_t>(values[code]) != std::bit_cast<std::uint64_t>(ToDouble(format, code))) ++wrong;
      const std::uint64_t quiet =
          format.is_nan(code) && format.nan == NanEncoding::kIeee ? code | format.nan_bits(false) : code;
      if (StoredCode(type, stored, code) != quiet) ++wrong;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("Sums of two doubles and MPFR numbers round once") {
  std::mt19937_64 random(99);
  mpfr_t exact;
  mpfr_init2(exact, 2200);
  mpfr_t approximate;
  mpfr_init2(approximate, 150);
  const int exponents[] = {0, -20, -126, -140, -149, 100, 127, -1022, -1050, -1074, 1023};
  std::size_t wrong = 0;
  int cases = 0;
  for (const PrimitiveType type : {F32, F64}) {
    const FloatFormat& format = FloatFormatOf(type);
    for (int i = 0; i < 40000; ++i) {
      // A number at a tie of f32 or near it, and a second one far below, often nothing.
      const double significand = 1.0 + std::ldexp(static_cast<double>(random() % (1 << 25)), -25);
      const int exponent = exponents[random() % std::size(exponents)];
      const double high = (random() % 2 != 0 ? 1 : -1) * std::ldexp(significand, exponent);
      const double places[] = {0.0, 0x1p-53, -0x1p-53, 0x1p-54, -0x1p-60, 0x1.8p-54, 0x1p-300};
      const double low = high * places[random() % std::size(places)];
      if (!std::isfinite(high)) continue;
      mpfr_set_d(exact, high, MPFR_RNDN);
      mpfr_add_d(exact, exact, low, MPFR_RNDN);
      const std::uint64_t want = RoundByMpfr(format, exact);
      const int ternary = mpfr_set(approximate, exact, random() % 2 != 0 ? MPFR_RNDU : MPFR_RNDD);
      ++cases;
      if (RoundDoubleDouble(format, high, low) != want) ++wrong;
      if (RoundMpfr(format, exact, 0) != want) ++wrong;
      if (RoundMpfr(format, approximate, ternary) != want) ++wrong;
    }
  }
  mpfr_clear(exact);
  mpfr_clear(approximate);
  CHECK(cases > 70000);
  CHECK(wrong == 0);
}

TEST_CASE("A sticky bit decides ties and nothing else") {
  const FloatFormat& format = FloatFormatOf(F8E4M3FN);
  CHECK(Round(format, false, 17, 0, false) == 0x58);  // 17 lies between 16 and 18
  CHECK(Round(format, false, 17, 0, true) == 0x59);
  CHECK(Round(format, false, 67, -2, true) == 0x58);
  CHECK(Round(format, true, uint128{1} << 127, -127, false) == 0xb8);
  CHECK(Round(format, false, 1, -2000000000, false) == 0x00);
  CHECK(Round(format, false, 1, 2000000000, false) == 0x7f);
  CHECK(Round(FloatFormatOf(F8E8M0FNU), false, 0, 0, true) == 0x00);
  CHECK(Round(FloatFormatOf(F8E8M0FNU), false, 0, 0, false) == 0xff);
}

}  // namespace
}  // namespace assay
