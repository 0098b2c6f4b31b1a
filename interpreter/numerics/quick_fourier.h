// Discrete Fourier transforms in doubles or in double words, with an error bound. They decide the rounding of nearly
// every result; fourier.h computes the others.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace assay {

class RootTable;

// Complex numbers; each part is a double, or the sum of two if there are low parts.
struct FourierNumbers {
  FourierNumbers(std::int64_t count, bool in_words);

  std::vector<double> real, imaginary;
  std::vector<double> real_low, imaginary_low;
};

// The transform X[k] = sum over j of x[j] e^(sign 2 pi i j k / n), sign -1 forward and +1 inverse, by the same steps as
// FourierTransform. Safe for concurrent use.
class QuickFourierTransform {
 public:
  QuickFourierTransform(std::int64_t n, bool inverse, bool in_words);
  ~QuickFourierTransform();
  // Returns a cached transform if there is one: computing the roots takes longer than a few short transforms.
  static std::shared_ptr<const QuickFourierTransform> Get(std::int64_t n, bool inverse, bool in_words);

  // Transforms lines in place: for each, the n numbers at first, first + stride, .... All magnitudes must be below
  // 2^512.
  void Apply(FourierNumbers& numbers, std::span<const std::int64_t> firsts, std::int64_t stride) const;

  // Each part of a result is off by less than `error()` times the sum of the magnitudes of the line's parts, plus
  // 2^-1000 for underflow.
  double error() const;

  // Returns the roots of the length.
  const RootTable& roots() const;

  struct Roots;

 private:
  bool in_words_;
  std::unique_ptr<const Roots> roots_;
};

}  // namespace assay
