// Error-free transformations of doubles: Knuth's two-sum, Dekker's for ordered terms, and the product by a fused
// multiply-add. Always inlined, so that loops over them vectorize.
#pragma once

#include <cmath>

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

}  // namespace assay
