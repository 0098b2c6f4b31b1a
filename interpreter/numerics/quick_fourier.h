// Discrete Fourier transforms in doubles or in double words, with a bound on their error: what decides how nearly every
// result rounds. The others are left to fourier.h.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace assay {

// Complex numbers, each part a double or, where there are low parts, the sum of two.
struct FourierNumbers {
  FourierNumbers(std::int64_t count, bool in_words);

  std::vector<double> real, imaginary;
  std::vector<double> real_low, imaginary_low;
};

// X[k] = sum over j of x[j] e^(sign 2 pi i j k / n), sign -1 forward and +1 inverse, by the same steps as
// FourierTransform. Several threads may use one.
class QuickFourierTransform {
 public:
  QuickFourierTransform(std::int64_t n, bool inverse, bool in_words);
  ~QuickFourierTransform();
  // One that has been made before, where it is kept: roots take longer than a few short transforms.
  static std::shared_ptr<const QuickFourierTransform> Get(std::int64_t n, bool inverse, bool in_words);

  // Transforms lines in place: the n numbers at first, first + stride, ... for each. No number is as large as 2^512.
  void Apply(FourierNumbers& numbers, std::span<const std::int64_t> firsts, std::int64_t stride) const;

  // Each part of a result is off by less than `error()` times the sum of the magnitudes of the line's parts, and by
  // 2^-1000 for what underflows.
  double error() const;

  struct Roots;

 private:
  bool in_words_;
  std::unique_ptr<const Roots> roots_;
};

}  // namespace assay
