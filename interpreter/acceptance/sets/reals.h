// Intervals of real numbers, their rounding to float formats, and the magnitudes of sets.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>

#include "interpreter/acceptance/ops/value_set.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/primitive_type.h"

namespace assay {

// Returns the interval with both ends rounded to a format.
Reals Rounded(const FloatFormat& format, const Reals& x);

// Rounds numbers to a format of less than 53 bits, with a sign, that are normal in it: at least twice as large as the
// least normal number, and at most half as large as the largest one.
class NormalRounding {
 public:
  explicit NormalRounding(PrimitiveType type);
  bool Takes(double x) const { return std::fabs(x) >= least_ && std::fabs(x) <= most_; }
  // Adds half a unit to the bits and cuts off the rest, ties to even.
  double operator()(double x) const {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t below_half = (std::uint64_t{1} << (cut_ - 1)) - 1;
    return std::bit_cast<double>((bits + below_half + (bits >> cut_ & 1)) >> cut_ << cut_);
  }

 private:
  int cut_;  // the bits of the significand of f64 that the format has not
  double least_, most_;
};

// True if two intervals hold the same numbers; all empty ones are equal.
bool Same(const Reals& a, const Reals& b);
// Returns the numbers that round to `value` in a format.
Reals BeforeRounding(PrimitiveType type, double value);

// True if `holds` is true for all components of an array. Calls it with blocks of components, converted to f64, until
// it returns false.
bool AllBlocks(const Literal& array, const std::function<bool(std::span<const double>)>& holds);
// Returns the largest finite magnitude among the reference's numbers.
double LargestValue(const Literal& value);
// True if the magnitude of a number is a power of two.
bool IsPowerOfTwo(double x);
// Returns the width of the widest interval.
double LargestWidth(const ValueSet& set);
// Returns the largest magnitudes of open elements, for bounds; the values themselves if all are decided.
Literal ReachOf(const ValueSet& set);
// Returns the largest magnitude among the finite ends of each element; infinite if no end is finite. A sum that rounds
// is monotone in its terms, so its errors at an end come from the terms' ends there.
Literal FiniteReachOf(const ValueSet& set);
// True if the type is real and nothing is known of any element.
bool NothingIsKnown(const Literal& value, const OpenElements& open);

}  // namespace assay
