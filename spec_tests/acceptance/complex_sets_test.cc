// Sets of complex numbers, by the C++ library: its results from operands in the sets are lawful, others are not.
#include <array>
#include <cmath>
#include <complex>
#include <random>

#include "interpreter/acceptance/ops/common/complex_images.h"
#include "spec_tests/acceptance/program.h"

namespace assay::testing {
namespace {

using Complex = std::complex<double>;

struct Function {
  std::string_view op;
  ComplexImage image;
  Complex (*value)(const Complex&);
};

constexpr Function kFunctions[] = {
    {"cosh", ComplexCosh, std::cosh},
    {"cosine", ComplexCosine, std::cos},
    {"exponential", ComplexExponential, std::exp},
    {"exponential-minus-one", ComplexExponentialMinusOne, [](const Complex& z) { return std::exp(z) - 1.0; }},
    {"log", ComplexLogarithm, std::log},
    {"log-plus-one", ComplexLogarithmPlusOne, [](const Complex& z) { return std::log(1.0 + z); }},
    {"logistic", ComplexLogistic, [](const Complex& z) { return 1.0 / (1.0 + std::exp(-z)); }},
    {"rsqrt", ComplexReciprocalRoot, [](const Complex& z) { return 1.0 / std::sqrt(z); }},
    {"sign", ComplexSign, [](const Complex& z) { return z / std::abs(z); }},
    {"sine", ComplexSine, std::sin},
    {"sinh", ComplexSinh, std::sinh},
    {"sqrt", ComplexRoot, std::sqrt},
    {"tan", ComplexTan, std::tan},
    {"tanh", ComplexTanh, std::tanh},
};

// True if the interval holds the number, or one that differs by the library's own error.
bool Holds(const Reals& interval, double number, double size) {
  const double slack = 1e-14 * size;
  return interval.low <= number + slack && interval.high >= number - slack;
}

TEST_CASE("the image of a rectangle holds the function's value at each of its points", "[acceptance][programs]") {
  std::mt19937_64 engine(1);
  const auto between = [&](double low, double high) { return std::uniform_real_distribution(low, high)(engine); };
  for (const auto& [op, image, value] : kFunctions) {
    int known = 0;
    for (int trial = 0; trial < 2000; ++trial) {
      const double width = std::exp2(between(-40, 2)), x = between(-4, 4), y = between(-4, 4);
      const std::array<ComplexReals, 1> set = {ComplexReals{Reals{x, x + width, false}, Reals{y, y + width, false}}};
      const ComplexReals results = image(set);
      const Complex at = value({between(x, x + width), between(y, y + width)});
      INFO(op << " of " << x << ", " << y << " and up to " << width << " more gives " << at);
      CHECK(Holds(results[0], at.real(), std::abs(at)));
      CHECK(Holds(results[1], at.imag(), std::abs(at)));
      known += results[0].high - results[0].low < 100 * width * (1 + std::norm(at)) + 1e-12;
    }
    INFO(op);
    CHECK(known > 1000);
  }
}

TEST_CASE("the image of a power holds e^(y log x)", "[acceptance][programs]") {
  std::mt19937_64 engine(1);
  const auto between = [&](double low, double high) { return std::uniform_real_distribution(low, high)(engine); };
  int known = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const double width = std::exp2(between(-40, 0));
    const auto any = [&] {
      const double x = between(-2, 2), y = between(-2, 2);
      return ComplexReals{Reals{x, x + width, false}, Reals{y, y + width, false}};
    };
    const auto in = [&](const ComplexReals& set) {
      return Complex(between(set[0].low, set[0].high), between(set[1].low, set[1].high));
    };
    const std::array<ComplexReals, 2> operands = {any(), any()};
    const ComplexReals results = ComplexPower(operands);
    const Complex x = in(operands[0]), y = in(operands[1]), power = std::pow(x, y);
    INFO(x << " to " << y << " is " << power);
    CHECK(Holds(results[0], power.real(), 100 * std::abs(power)));
    CHECK(Holds(results[1], power.imag(), 100 * std::abs(power)));
    known += results[0].high - results[0].low < 1;
  }
  CHECK(known > 1000);
}

TEST_CASE("a function of a part of which nothing is known may be NaN", "[acceptance][programs]") {
  const ComplexReals zero = {Reals::Point(0), Reals::Point(0)};
  const std::array<ComplexReals, 1> large = {ComplexReals{Reals::Point(100), Reals::Point(0)}};
  const std::array<ComplexReals, 2> power = {zero, zero};
  for (const ComplexReals& open : {ComplexExponentialMinusOne(large), ComplexPower(power)}) {
    CHECK(open[0].may_be_nan);
    CHECK(open[1].may_be_nan);
    CHECK(open[0].Contains(1e30));
  }
}

TEST_CASE("a function of a complex number that another function left open is judged", "[acceptance][programs]") {
  const auto text = [](const Complex& z) { return fmt::format("c64[] ({:.9g}, {:.9g})", z.real(), z.imag()); };
  for (const auto& [op, image, value] : kFunctions) {
    const std::string module =
        fmt::format("t = f32[] tanh(x)  l = f32[] logistic(y)  z = c64[] complex(t, l)  ROOT r = c64[] {}(z)", op);
    for (const auto& [x, y] : {std::pair(0.25F, 0.5F), std::pair(-1.0F, -3.0F), std::pair(2.0F, -0.125F)}) {
      const Program program(module, {fmt::format("x = f32[] {}", x), fmt::format("y = f32[] {}", y)});
      const Complex z(std::tanh(x), 1 / (1 + std::exp(-static_cast<double>(y))));
      const Complex next(z.real() * (1 + 0x1p-23), z.imag() * (1 - 0x1p-23));
      INFO(op << " of " << z);
      for (const Complex& operand : {z, next}) {
        CHECK(program.Is(text(value(operand))) <= Verdict::kLegal);
        CHECK(program.Is(text(value(operand)), "fast") <= Verdict::kLegal);
      }
      for (const std::string_view profile : {"xla", "fast"}) {
        CHECK(program.Is(text(value(z) * Complex(1, 1e-4)), profile) == Verdict::kFail);
        CHECK(program.Is(text(std::conj(value(z))), profile) == Verdict::kFail);
      }
    }
  }
}

}  // namespace
}  // namespace assay::testing
