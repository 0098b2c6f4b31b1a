// Discrete Fourier transforms of any length, with as many bits as their exact results need.
#pragma once

#include <mpfr.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace assay {

// n complex numbers of one precision, initially zero.
class BigComplexArray {
 public:
  BigComplexArray(std::int64_t n, mpfr_prec_t precision);
  BigComplexArray(const BigComplexArray&) = delete;
  BigComplexArray& operator=(const BigComplexArray&) = delete;

  mpfr_ptr real(std::int64_t i) { return &parts_[2 * i]; }
  mpfr_ptr imaginary(std::int64_t i) { return &parts_[2 * i + 1]; }
  std::int64_t size() const { return static_cast<std::int64_t>(parts_.size()) / 2; }
  void Copy(std::int64_t i, BigComplexArray& from, std::int64_t j);

 private:
  std::vector<__mpfr_struct> parts_;
  std::unique_ptr<mp_limb_t[]> significands_;  // limbs of all parts
};

// The transform X[k] = sum over j of x[j] e^(sign 2 pi i j k / n), sign -1 forward and +1 inverse. Decomposes by the
// prime factors of n (Cooley and Tukey 1965), and uses Bluestein's convolution for prime factors too large for direct
// summation.
class FourierTransform {
 public:
  FourierTransform(std::int64_t n, bool inverse, mpfr_prec_t precision);
  ~FourierTransform();

  // Transforms the n numbers at first, first + stride, ... in place.
  void Apply(BigComplexArray& array, std::int64_t first, std::int64_t stride);

 private:
  struct Convolution;

  void Transform(std::int64_t n, std::int64_t in, std::int64_t in_stride, std::int64_t out);
  // Computes the transform of prime length p of terms_ into sums_.
  void TransformPrime(std::int64_t p);
  void Convolve(std::int64_t p);
  // Computes a[i] = b[j] * c[k]; a[i] may be b[j].
  void Multiply(BigComplexArray& a, std::int64_t i, BigComplexArray& b, std::int64_t j, BigComplexArray& c,
                std::int64_t k);

  std::int64_t n_;
  bool inverse_;
  mpfr_prec_t precision_;
  BigComplexArray roots_;  // e^(sign 2 pi i k / n)
  BigComplexArray in_;
  BigComplexArray out_;
  BigComplexArray terms_;
  BigComplexArray sums_;
  BigComplexArray scratch_;
  std::vector<std::unique_ptr<Convolution>> convolutions_;
};

// The precision in which a transform is computed, and the last place of its results.
struct FourierPrecision {
  mpfr_prec_t bits;
  // Results are rounded to multiples of 2^last_place, 128 places below the last one of any operand. The error of the
  // transform is less than half of 2^last_place. So a result that is exactly representable (zero above all) or a tie is
  // recognized.
  mpfr_exp_t last_place;
};
FourierPrecision FourierPrecisionOf(std::span<const double> parts);

// Rounds to the nearest multiple of 2^last_place; zero becomes +0.
void RoundToPlace(mpfr_ptr number, mpfr_exp_t last_place);

}  // namespace assay
