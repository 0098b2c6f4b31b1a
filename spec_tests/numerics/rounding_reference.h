// Two definitions of rounding that share only the decoding of patterns with interpreter/numerics/round.h.
#pragma once

#include <mpfr.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "interpreter/types/float_format.h"

namespace assay {

// The definition of rounding for a format of at most 16 bits: the nearest value of the format; of two equally near
// ones, the one with the even code. Uses no arithmetic on bits.
class NearestValue {
 public:
  explicit NearestValue(const FloatFormat& format);

  std::uint64_t Round(double value) const;
  // Rounds a number of any precision, NaN and infinity included.
  std::uint64_t Round(mpfr_srcptr value) const;

  // Every non-negative finite value of the format, ascending.
  const std::vector<double>& values() const { return values_; }
  // The next value of the format if its exponents continued. Rounding to it is an overflow.
  double beyond() const { return beyond_; }

 private:
  std::uint64_t NearestCode(double magnitude) const;

  const FloatFormat& format_;
  std::vector<double> values_;
  double beyond_;
};

// Round `exact` to an IEEE format by MPFR: its precision, its exponent range, its subnormals. The first returns the
// number, the second the bits of f32 or f64.
double RoundedByMpfr(const FloatFormat& format, mpfr_srcptr exact);
std::uint64_t RoundByMpfr(const FloatFormat& format, mpfr_srcptr exact);

// Arrays in memory: by StoreReals, and element i as an integer.
std::vector<std::byte> Store(PrimitiveType type, const std::vector<double>& values);
std::uint64_t StoredCode(PrimitiveType type, const std::vector<std::byte>& bytes, std::size_t i);

}  // namespace assay
