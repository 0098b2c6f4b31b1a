#include "interpreter/numerics/roots_of_unity.h"

#include <mpfr.h>

#include <algorithm>

#include "interpreter/numerics/mpfr_cache.h"
#include "interpreter/types/limits.h"

namespace assay {
namespace {

using lanes::ComplexOf;
using lanes::WordOf;

// Returns e^(2 pi i k / n) as double words.
ComplexOf<WordOf<double>> RootByMpfr(std::int64_t k, std::int64_t n) {
  FreeMpfrCacheWithThread();
  mpfr_t number;
  mpfr_init2(number, 120);
  const auto word = [&]() -> WordOf<double> {
    const double hi = mpfr_get_d(number, MPFR_RNDN);
    mpfr_sub_d(number, number, hi, MPFR_RNDN);
    return {hi, mpfr_get_d(number, MPFR_RNDN)};
  };
  ComplexOf<WordOf<double>> root;
  mpfr_set_si(number, k, MPFR_RNDN);
  mpfr_cosu(number, number, n, MPFR_RNDN);
  root.real = word();
  mpfr_set_si(number, k, MPFR_RNDN);
  mpfr_sinu(number, number, n, MPFR_RNDN);
  root.imaginary = word();
  mpfr_clear(number);
  return root;
}

}  // namespace

RootTable::RootTable(std::int64_t n, bool inverse, bool in_words) : n_(n) {
  std::int64_t step = 1;
  while (step * step < n) step *= 2;
  std::vector<ComplexOf<WordOf<double>>> near, far;
  LimitCheck check;
  for (std::int64_t k = 0; k < std::min(step, n); ++k) check(), near.push_back(RootByMpfr(k, n));
  for (std::int64_t k = 0; k < n; k += step) check(), far.push_back(RootByMpfr(k, n));
  high_.resize(n);
  if (in_words) low_.resize(n);
  for (std::int64_t k = 0; k < n; ++k) {
    const bool is_exact = 4 * k % n == 0;
    ComplexOf<WordOf<double>> root = k % step == 0 ? far[k / step]
                                     : k < step    ? near[k]
                                     : is_exact    ? RootByMpfr(k, n)
                                                   : far[k / step] * near[k % step];
    if (!inverse) root.imaginary = -root.imaginary;
    high_[k] = {root.real.hi, root.imaginary.hi};
    if (in_words) low_[k] = {root.real.lo, root.imaginary.lo};
  }
}

}  // namespace assay
