// Error-free transformations of doubles: Knuth's two-sum, Dekker's for ordered terms, and the product by a fused
// multiply-add; and rounding to odd. Always inlined, so that loops over them vectorize.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace assay {

// A result as the exact sum hi + lo, except for overflow and underflow; hi is the result rounded.
struct DoubleWord {
  double hi;
  double lo;
};

[[gnu::always_inline]] inline DoubleWord TwoSum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

// Requires |a| >= |b|, or a = 0.
[[gnu::always_inline]] inline DoubleWord FastTwoSum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

[[gnu::always_inline]] inline DoubleWord TwoProduct(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

// Returns the double next to a + b: either exact or with an odd last bit, so that rounding it to 51 bits or fewer is
// rounding a + b (Boldo and Melquiond, 2008).
[[gnu::always_inline]] inline double SumToOdd(double a, double b) {
  const auto [sum, error] = TwoSum(a, b);
  const auto bits = std::bit_cast<std::int64_t>(sum);
  // 1 away from zero, -1 towards it: where the signs of the error and of the sum are alike, and where they are not.
  const std::int64_t step = ((std::bit_cast<std::int64_t>(error) ^ bits) >> 63) | 1;
  return std::bit_cast<double>(bits + (error != 0 && (bits & 1) == 0 ? step : 0));
}

}  // namespace assay
