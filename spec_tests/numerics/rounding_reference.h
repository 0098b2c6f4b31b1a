// Two definitions of rounding that share nothing with interpreter/numerics/round.h but the decoding of patterns.
#pragma once

#include <mpfr.h>

#include <cstdint>
#include <vector>

#include "interpreter/types/float_format.h"

namespace assay {

// The definition: of all values of a format of at most 16 bits, the nearest; of two equally near, the one with the even
// code. No arithmetic on bits.
class NearestValue {
 public:
  explicit NearestValue(const FloatFormat& format);

  std::uint64_t Round(double value) const;
  // The same for a number of any precision (NaN and infinity included).
  std::uint64_t Round(mpfr_srcptr value) const;

  // Every non-negative finite value of the format, ascending.
  const std::vector<double>& values() const { return values_; }
  // The next value that the format would have if its exponents went on: overflow is rounding to this one.
  double beyond() const { return beyond_; }

 private:
  std::uint64_t NearestCode(double magnitude) const;

  const FloatFormat& format_;
  std::vector<double> values_;
  double beyond_;
};

// MPFR's own rounding of `exact` to an IEEE format: its precision, its exponent range, its subnormals.
std::uint64_t RoundByMpfr(const FloatFormat& format, mpfr_srcptr exact);

}  // namespace assay
