#include "interpreter/numerics/fourier_radix.h"

#include <bit>

namespace assay {
namespace {

// Errors are counted in units: 2^-53 of the magnitude of a result for doubles (half of a last place), 2^-101 for double
// words (the 32 u^2 of ball.h). Each part of a sum of complex numbers is off by one unit. Each part of a product is the
// sum of two products: off by two units of |a b|, the whole product by less than three. A root from the table is off by
// one if it is a double, because the table is computed in double words, and else by less than five: its two factors are
// off by one each, and their product by three.
double ProductUnits(bool in_words) { return in_words ? 9 : 5; }

std::int64_t LeastPrimeFactor(std::int64_t n) {
  for (std::int64_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) return p;
  }
  return n;
}

}  // namespace

std::int64_t RadixOf(std::int64_t n) { return n % 4 == 0 ? 4 : LeastPrimeFactor(n); }

std::int64_t ConvolutionSize(std::int64_t prime) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(2 * prime - 1)));
}

// Returns the error of a transform in units of the sum of the magnitudes of its n numbers. A transform of length n
// multiplies those of length n / p by a root (a product), and adds p of these, each times another root (a product and p
// - 1 sums): the errors of the parts add up as their magnitudes do. If p is 2 or 4, the other roots are 1, i, -1 and
// -i.
double TransformUnits(std::int64_t n, bool in_words) {
  const double product = ProductUnits(in_words);
  double units = 0;
  while (n > 1) {
    const std::int64_t p = RadixOf(n);
    n /= p;
    units += product;
    if (p <= kLargestQuickPrime) {
      units += (p == 2 || p == 4 ? 0 : product) + static_cast<double>(p);
      continue;
    }
    // j k = (j^2 + k^2 - (k - j)^2) / 2. The terms times the chirp (a product) are transformed, multiplied by the
    // transformed chirp (which is no larger than 2p; a product, its transform and a product), transformed back, and
    // multiplied by the chirp.
    units += (4 * product + 3 * TransformUnits(ConvolutionSize(p), in_words)) * 2 * static_cast<double>(p);
  }
  return units;
}

}  // namespace assay
