// Functions in double, for results of up to 32 bits: the error of each is far below 2^-44 of the result
// (functions_exhaustive measures it). The arguments are in the stated domain; there are neither branches nor calls, so
// that loops over them become vectors.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "interpreter/numerics/ball.h"
#include "interpreter/numerics/ball_tables.h"

namespace assay::approximations {

// The domain of the exponential functions: 2^index stays a normal double.
inline bool HasExponential(double x) { return std::fabs(x) < 700; }

// e^x = 2^exponent power (1 + expm1): `power` is 2^(i / 256), and `power_less_one` has it without its 1.
struct ExponentialParts {
  double scale;  // 2^exponent
  double power, power_less_one;
  double expm1;  // of the rest, which is below ln(2) / 512
};

// The high part of ln(2) / 256 has 34 bits, so that its product with an index of up to 18 bits is exact.
inline ExponentialParts PartsOfExponential(double x) {
  constexpr double kStepHigh = 0x1.62e42fef8p-9, kStepLow = 0x1.1cf79abc9e3b4p-44;
  const BallTables& tables = BallTables::Get();
  const Whole index = Nearest(x * tables.steps_per_ln2);
  const double rest = (x - index.value * kStepHigh) - index.value * kStepLow;
  const Ball& power = tables.power[index.integer & (BallTables::kPowers - 1)];
  // Taylor's next term is below 2^-54 of the rest.
  const double expm1 = rest * (1 + rest * (0.5 + rest * (1.0 / 6 + rest * (1.0 / 24 + rest * (1.0 / 120)))));
  const auto exponent = static_cast<std::uint64_t>((index.integer >> 8) + 1023);
  return {std::bit_cast<double>(exponent << 52), power.hi, (power.hi - 1) + power.lo, expm1};
}

inline double Exp(double x) {
  const ExponentialParts parts = PartsOfExponential(x);
  return parts.scale * (parts.power + parts.power * parts.expm1);
}

// For x >= 0: 2^exponent - 1 is exact where it does not hide the other terms, and they do not cancel each other.
inline double Expm1OfPositive(double x) {
  const ExponentialParts parts = PartsOfExponential(x);
  return parts.scale * (parts.power_less_one + parts.power * parts.expm1) + (parts.scale - 1);
}

inline double Expm1(double x) {
  const double t = Expm1OfPositive(std::fabs(x)), negative = -t / (t + 1);
  return x < 0 ? negative : std::copysign(t, x);
}

inline double Logistic(double x) { return 1 / (1 + Exp(-x)); }

// tanh(x) is 1 to f32 from 10 on, and to 2^-56 from 20 on.
inline double Tanh(double x) {
  const double size = std::fabs(x), near = size < 20 ? size : 20;
  const double t = Expm1OfPositive(2 * near);
  return std::copysign(t / (t + 2), x);
}

}  // namespace assay::approximations
