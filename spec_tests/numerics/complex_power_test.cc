// Complex powers beyond every format.
#include <cmath>

#include "interpreter/numerics/complex.h"
#include "spec_tests/catch.h"
#include "spec_tests/special_numbers.h"

namespace assay {
namespace {

using testing::kInfinity;

// Represents a part whose sign the formula leaves open.
constexpr double kAnyZero = 12345;

bool HasPart(double got, double want) {
  if (want == kAnyZero) return got == 0;
  return got == want && std::signbit(got) == std::signbit(want);
}

ComplexDouble PowerOf(ComplexDouble base, ComplexDouble exponent) {
  ComplexDouble power;
  Apply(kComplexPow, C128, reinterpret_cast<const std::byte*>(&base), reinterpret_cast<const std::byte*>(&exponent),
        reinterpret_cast<std::byte*>(&power), 1);
  return power;
}

// MPC does not end for powers at the edge of its own range, such as 2^(-2^62). The signs are mpmath's.
TEST_CASE("Complex powers far beyond every format are zeros and infinities with the signs of their parts") {
  struct Row {
    ComplexDouble base, exponent, power;
  };
  constexpr double kEdge = -0x1p62;
  const Row rows[] = {
      {{2, 0}, {kEdge, kEdge}, {0, 0}},
      {{2, 0}, {kEdge, 2 * kEdge}, {-0.0, 0}},
      {{2, 0}, {kEdge, 0}, {0, kAnyZero}},
      {{0.5, 0}, {-kEdge, 2}, {0, -0.0}},
      {{0, 2}, {kEdge, 0}, {0, kAnyZero}},
      {{0, 2}, {kEdge / 2 + 512, 0}, {0, kAnyZero}},
      {{0, 2}, {1 - 0x1p24, 0}, {kAnyZero, 0}},
      {{1, 1}, {2 * kEdge, 0}, {0, kAnyZero}},
      {{1, 1}, {-1 - 0x1p24, 0}, {0, -0.0}},
      {{0, 1}, {2, kEdge}, {-kInfinity, kAnyZero}},
      {{3, 5}, {1e300, -2e299}, {kInfinity, -kInfinity}},
      {{1e300, 1e-300}, {-1e300, 1e-300}, {0, 0}},
      {{-2, -0.0}, {-0x1p40, 1}, {0, 0}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.base, row.exponent);
    const ComplexDouble power = PowerOf(row.base, row.exponent);
    CAPTURE(power);
    CHECK(HasPart(power.real(), row.power.real()));
    CHECK(HasPart(power.imag(), row.power.imag()));
  }
}

}  // namespace
}  // namespace assay
