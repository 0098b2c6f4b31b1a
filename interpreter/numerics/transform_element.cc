#include "interpreter/numerics/transform_element.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "interpreter/numerics/roots_of_unity.h"
#include "interpreter/types/vector_clones.h"

namespace assay {
namespace {

using lanes::ComplexOf;
using lanes::kLanes;
using lanes::Lanes;
using lanes::WordOf;

// Each lane of a part, high and low.
using PartSums = double[4][kLanes];

// Adds the terms of `count` numbers, up to kLanes at a time, to one sum for each lane. The first root is that of the
// first number, and each further number is `k` roots further.
ASSAY_VECTOR_CLONES void AddTerms(std::span<const double> real, std::span<const double> imaginary,
                                  const RootTable& roots, std::int64_t k, PartSums& sums) {
  const auto n = static_cast<std::int64_t>(real.size());
  ComplexOf<WordOf<Lanes>> sum = {};
  std::int64_t at = 0;  // of the root: j k modulo n
  for (std::int64_t first = 0; first < n; first += kLanes) {
    double numbers[2][kLanes] = {}, turns[4][kLanes] = {};
    for (std::int64_t lane = 0; lane < std::min(kLanes, n - first); ++lane) {
      const ComplexOf<WordOf<double>> root = roots.Get<WordOf<double>>(at);
      numbers[0][lane] = real[first + lane];
      numbers[1][lane] = imaginary[first + lane];
      turns[0][lane] = root.real.hi;
      turns[1][lane] = root.real.lo;
      turns[2][lane] = root.imaginary.hi;
      turns[3][lane] = root.imaginary.lo;
      at += k;
      if (at >= n) at -= n;
    }
    ComplexOf<WordOf<Lanes>> number = {}, root = {};
    std::memcpy(&number.real.hi, numbers[0], sizeof numbers[0]);
    std::memcpy(&number.imaginary.hi, numbers[1], sizeof numbers[1]);
    std::memcpy(&root.real.hi, turns[0], sizeof turns[0]);
    std::memcpy(&root.real.lo, turns[1], sizeof turns[1]);
    std::memcpy(&root.imaginary.hi, turns[2], sizeof turns[2]);
    std::memcpy(&root.imaginary.lo, turns[3], sizeof turns[3]);
    sum = sum + number * root;
  }
  std::memcpy(sums[0], &sum.real.hi, sizeof sums[0]);
  std::memcpy(sums[1], &sum.real.lo, sizeof sums[1]);
  std::memcpy(sums[2], &sum.imaginary.hi, sizeof sums[2]);
  std::memcpy(sums[3], &sum.imaginary.lo, sizeof sums[3]);
}

ASSAY_VECTOR_CLONES bool RoundPairs(const double* real, const double* imaginary, std::int64_t count, double divisor,
                                    double error, double unit, float* out) {
  bool is_decided = true;
  const auto round = [&](double number, float& to) {
    const double quotient = number / divisor, magnitude = std::fabs(quotient), off = error + magnitude * 0x1p-51;
    const auto below = static_cast<float>((quotient - off) * unit), above = static_cast<float>((quotient + off) * unit);
    is_decided &= (below == above) & (magnitude > off);
    to = below;
  };
  for (std::int64_t i = 0; i < count; ++i) {
    round(real[i], out[2 * i]);
    round(imaginary[i], out[2 * i + 1]);
  }
  return is_decided;
}

}  // namespace

ComplexOf<WordOf<double>> TransformElement(std::span<const double> real, std::span<const double> imaginary,
                                           const RootTable& roots, std::int64_t k) {
  PartSums sums;
  AddTerms(real, imaginary, roots, k, sums);
  ComplexOf<WordOf<double>> total = {{0, 0}, {0, 0}};
  for (std::int64_t lane = 0; lane < kLanes; ++lane) {
    total = total + ComplexOf<WordOf<double>>{{sums[0][lane], sums[1][lane]}, {sums[2][lane], sums[3][lane]}};
  }
  return total;
}

// A product with a root is off by less than 9 units of 2^-101, and each of up to n + 16 sums by one, as in
// quick_fourier.cc. The factor 1.01 covers errors of second order.
double TransformElementError(std::int64_t n) { return 1.01 * 0x1p-101 * (25 + static_cast<double>(n)); }

bool RoundPairsToF32(std::span<const double> real, std::span<const double> imaginary, double divisor, double error,
                     double unit, float* out) {
  return RoundPairs(real.data(), imaginary.data(), static_cast<std::int64_t>(real.size()), divisor, error, unit, out);
}

}  // namespace assay
