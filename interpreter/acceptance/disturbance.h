// Random legal errors in results: what trials (trials.h) are made of.
#pragma once

#include <cstdint>

#include "interpreter/types/literal.h"

namespace assay {

// The largest finite magnitude of an array's numbers; 0 of what has none.
double LargestMagnitude(const Literal& value);

class Disturbance {
 public:
  explicit Disturbance(std::uint64_t seed) : stream_(seed) {}

  // Adds errors to every finite number: of so many units of its last place, and of so many units of the last place of
  // the largest number that goes into it, `terms`, or of the largest one of the array.
  void Add(Literal& value, double ulps, double terms = 0);
  // Adds errors up to a bound of each element. Without one the element may be anything: a choice.
  void AddWithin(Literal& value, const Literal& bound);
  // Something ran that has many legal results far from each other: random numbers, a factorization whose signs or bases
  // are free.
  void SeeChoice() { saw_choices_ = true; }
  bool saw_choices() const { return saw_choices_; }

  // Errors of sums, products and transforms, in units of the last place of the largest number that they are made of.
  static constexpr double kUlpsOfNorm = 8;

 private:
  std::uint64_t stream_;
  bool saw_choices_ = false;
};

}  // namespace assay
