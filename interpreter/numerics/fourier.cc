#include "interpreter/numerics/fourier.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "interpreter/numerics/mpfr_cache.h"
#include "interpreter/types/limits.h"

namespace assay {
namespace {

// Up to this length, direct summation is as fast as a convolution.
constexpr std::int64_t kLargestDirectPrime = 61;

// Bits below the last place of the results. Each of log n stages, or the three transforms of a convolution, adds errors
// of a few last places of numbers no larger than the sum of all magnitudes, at most n of them: 2^64 covers any array
// that fits in memory.
constexpr mpfr_prec_t kGuardBits = 64;
constexpr mpfr_exp_t kPlacesBelowOperands = 128;

std::int64_t SmallestPrimeFactor(std::int64_t n) {
  for (std::int64_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) return p;
  }
  return n;
}

std::int64_t LargestPrimeFactor(std::int64_t n) {
  std::int64_t largest = 1;
  for (; n > 1; n /= largest) largest = SmallestPrimeFactor(n);
  return largest;
}

// Stores e^(sign 2 pi i k / n), exact for those multiples of an eighth turn that have exact parts.
void SetRoot(BigComplexArray& array, std::int64_t i, std::int64_t k, std::int64_t n, bool inverse) {
  FreeMpfrCacheWithThread();
  mpfr_set_si(array.real(i), k, MPFR_RNDN);
  mpfr_sinu(array.imaginary(i), array.real(i), n, MPFR_RNDN);
  mpfr_cosu(array.real(i), array.real(i), n, MPFR_RNDN);
  if (!inverse) mpfr_neg(array.imaginary(i), array.imaginary(i), MPFR_RNDN);
}

}  // namespace

BigComplexArray::BigComplexArray(std::int64_t n, mpfr_prec_t precision) : parts_(2 * n) {
  const std::size_t limbs = mpfr_custom_get_size(precision) / sizeof(mp_limb_t);
  significands_ = std::make_unique_for_overwrite<mp_limb_t[]>(parts_.size() * limbs);
  LimitCheck check;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    check();
    mpfr_custom_init_set(&parts_[i], MPFR_ZERO_KIND, 0, precision, significands_.get() + i * limbs);
  }
}

void BigComplexArray::Copy(std::int64_t i, BigComplexArray& from, std::int64_t j) {
  mpfr_set(real(i), from.real(j), MPFR_RNDN);
  mpfr_set(imaginary(i), from.imaginary(j), MPFR_RNDN);
}

// j k = (j^2 + k^2 - (k - j)^2) / 2 makes the sum of a transform a convolution with the chirp e^(sign pi i j^2 / p).
struct FourierTransform::Convolution {
  Convolution(std::int64_t prime, bool inverse, std::int64_t size, mpfr_prec_t precision)
      : p(prime),
        chirp(prime, precision),
        kernel(size, precision),
        work(size, precision),
        forward(size, false, precision),
        backward(size, true, precision) {
    LimitCheck check;
    for (std::int64_t j = 0; j < p; ++j) {
      check();
      // The chirp has period 2p in j^2.
      SetRoot(chirp, j, static_cast<std::int64_t>(static_cast<unsigned __int128>(j) * j % (2 * p)), 2 * p, inverse);
      for (const std::int64_t at : {j, (size - j) % size}) {
        kernel.Copy(at, chirp, j);
        mpfr_neg(kernel.imaginary(at), kernel.imaginary(at), MPFR_RNDN);
      }
    }
    forward.Apply(kernel, 0, 1);
  }

  std::int64_t p;
  BigComplexArray chirp;
  BigComplexArray kernel;  // transformed
  BigComplexArray work;
  FourierTransform forward;
  FourierTransform backward;
};

FourierTransform::FourierTransform(std::int64_t n, bool inverse, mpfr_prec_t precision)
    : n_(n),
      inverse_(inverse),
      precision_(precision),
      roots_(n, precision),
      in_(n, precision),
      out_(n, precision),
      terms_(LargestPrimeFactor(n), precision),
      sums_(LargestPrimeFactor(n), precision),
      scratch_(2, precision) {
  LimitCheck check;
  for (std::int64_t k = 0; k < n; ++k) {
    check();
    SetRoot(roots_, k, k, n, inverse);
  }
}

FourierTransform::~FourierTransform() = default;

void FourierTransform::Apply(BigComplexArray& array, std::int64_t first, std::int64_t stride) {
  LimitCheck check;
  for (std::int64_t i = 0; i < n_; ++i) {
    check();
    in_.Copy(i, array, first + i * stride);
  }
  Transform(n_, 0, 1, 0);
  for (std::int64_t i = 0; i < n_; ++i) {
    check();
    array.Copy(first + i * stride, out_, i);
  }
}

void FourierTransform::Transform(std::int64_t n, std::int64_t in, std::int64_t in_stride, std::int64_t out) {
  if (n == 1) return out_.Copy(out, in_, in);
  CheckLimits();
  const std::int64_t p = SmallestPrimeFactor(n), m = n / p;
  for (std::int64_t r = 0; r < p; ++r) Transform(m, in + r * in_stride, in_stride * p, out + r * m);
  LimitCheck check;
  for (std::int64_t k = 0; k < m; ++k) {
    check();
    for (std::int64_t r = 0; r < p; ++r) {
      if (r * k == 0) {
        terms_.Copy(r, out_, out + r * m + k);
      } else {
        Multiply(terms_, r, out_, out + r * m + k, roots_, r * k * (n_ / n));
      }
    }
    TransformPrime(p);
    for (std::int64_t q = 0; q < p; ++q) out_.Copy(out + q * m + k, sums_, q);
  }
}

void FourierTransform::TransformPrime(std::int64_t p) {
  if (p > kLargestDirectPrime) return Convolve(p);
  for (std::int64_t q = 0; q < p; ++q) {
    sums_.Copy(q, terms_, 0);
    for (std::int64_t r = 1; r < p; ++r) {
      const std::int64_t power = r * q % p;
      if (power == 0) {
        mpfr_add(sums_.real(q), sums_.real(q), terms_.real(r), MPFR_RNDN);
        mpfr_add(sums_.imaginary(q), sums_.imaginary(q), terms_.imaginary(r), MPFR_RNDN);
        continue;
      }
      Multiply(scratch_, 1, terms_, r, roots_, power * (n_ / p));
      mpfr_add(sums_.real(q), sums_.real(q), scratch_.real(1), MPFR_RNDN);
      mpfr_add(sums_.imaginary(q), sums_.imaginary(q), scratch_.imaginary(1), MPFR_RNDN);
    }
  }
}

void FourierTransform::Convolve(std::int64_t p) {
  auto found = std::ranges::find(convolutions_, p, [](const auto& convolution) { return convolution->p; });
  if (found == convolutions_.end()) {
    std::int64_t size = 1;
    while (size < 2 * p - 1) size *= 2;
    convolutions_.push_back(std::make_unique<Convolution>(p, inverse_, size, precision_));
    found = convolutions_.end() - 1;
  }
  Convolution& c = **found;
  LimitCheck check;
  for (std::int64_t j = 0; j < c.work.size(); ++j) {
    check();
    if (j < p) {
      Multiply(c.work, j, terms_, j, c.chirp, j);
    } else {
      mpfr_set_zero(c.work.real(j), 1);
      mpfr_set_zero(c.work.imaginary(j), 1);
    }
  }
  c.forward.Apply(c.work, 0, 1);
  for (std::int64_t j = 0; j < c.work.size(); ++j) {
    check();
    Multiply(c.work, j, c.work, j, c.kernel, j);
  }
  c.backward.Apply(c.work, 0, 1);
  for (std::int64_t q = 0; q < p; ++q) {
    Multiply(sums_, q, c.work, q, c.chirp, q);
    // Exact: the size is a power of two.
    mpfr_div_ui(sums_.real(q), sums_.real(q), c.work.size(), MPFR_RNDN);
    mpfr_div_ui(sums_.imaginary(q), sums_.imaginary(q), c.work.size(), MPFR_RNDN);
  }
}

void FourierTransform::Multiply(BigComplexArray& a, std::int64_t i, BigComplexArray& b, std::int64_t j,
                                BigComplexArray& c, std::int64_t k) {
  mpfr_fmms(scratch_.real(0), b.real(j), c.real(k), b.imaginary(j), c.imaginary(k), MPFR_RNDN);
  mpfr_fmma(scratch_.imaginary(0), b.real(j), c.imaginary(k), b.imaginary(j), c.real(k), MPFR_RNDN);
  a.Copy(i, scratch_, 0);
}

FourierPrecision FourierPrecisionOf(std::span<const double> parts) {
  int greatest = std::numeric_limits<int>::min(), least = std::numeric_limits<int>::max();
  LimitCheck check;
  for (double part : parts) {
    check();
    if (part == 0) continue;
    int exponent = 0;
    const auto significand = static_cast<std::uint64_t>(std::ldexp(std::frexp(std::fabs(part), &exponent), 53));
    greatest = std::max(greatest, exponent);
    least = std::min(least, exponent - 53 + std::countr_zero(significand));
  }
  if (greatest < least) greatest = least = 0;
  // The sum of n magnitudes takes log n bits more than the greatest of them; the guard bits cover those.
  return {.bits = greatest - least + kPlacesBelowOperands + 2 * kGuardBits, .last_place = least - kPlacesBelowOperands};
}

void RoundToPlace(mpfr_ptr number, mpfr_exp_t last_place) {
  mpfr_mul_2si(number, number, -last_place, MPFR_RNDN);
  mpfr_rint(number, number, MPFR_RNDN);
  mpfr_mul_2si(number, number, last_place, MPFR_RNDN);
  if (mpfr_zero_p(number)) mpfr_set_zero(number, 1);
}

}  // namespace assay
