// Random legal errors that samples (samples/judge_by_samples.h) add to results.
#pragma once

#include <cstdint>
#include <utility>

#include "interpreter/types/literal.h"

namespace assay {

// True for an array of real or complex numbers.
bool IsRealArray(const Literal& value);
// Returns the largest finite magnitude of an array of reals or complex numbers; 0 for other values.
double LargestMagnitude(const Literal& value);

class Disturbance {
 public:
  enum class Errors { kIndependent, kBiased };
  // kBiased: half of the error of an array is common to all elements, as that of an approximation may be; by half of
  // the seeds equal results of a function or a rounding have equal errors: few numbers that occur often have errors in
  // common, too. Equal sums are sums of other terms.
  explicit Disturbance(std::uint64_t seed, Errors errors = Errors::kIndependent)
      : stream_(seed), errors_(errors), are_alike_(errors == Errors::kBiased && seed / 4 % 2 == 1) {}

  // Adds an error to every finite number: up to `ulps` units of its last place. If `terms` is positive, adds up to 2^(1
  // - precision) times the larger of `terms` and kUlpsOfNorm times the array's largest magnitude.
  void Add(Literal& value, double ulps, double terms = 0);
  // Adds the error of a function, up to `ulps` units. A mask is a sum or moved, so the largest number of the type,
  // which Add keeps, is a result like any other here.
  void AddOfFunction(Literal& value, double ulps);
  // Adds the error of a rounding that is omitted or done twice: up to one unit in the last place, which no two
  // numbers have in common unless they are equal.
  void AddOfRounding(Literal& value);
  // Adds an error to every finite number of an array: up to `share` of it, or up to `least` if that is more. A common
  // error makes all numbers larger, or all smaller, as a truncation does.
  void AddRelative(Literal& array, double share, double least);
  // Adds errors up to the bound of each component, or as large as it, independent of each other. An infinite bound
  // leaves the element unchanged and counts as a choice.
  enum class Sizes { kAny, kLargest };
  void AddWithin(Literal& value, const Literal& bound, Sizes sizes = Sizes::kAny);
  // Adds errors up to the bound of each element, of which half is common to all as above. Half of the numbers that are
  // smaller than their error stay.
  void AddUpToEach(Literal& array, const Literal& bound);
  // Records that an instruction has many legal results far from each other: random numbers, or a factorization whose
  // signs or bases are free.
  void SeeChoice() { saw_choices_ = true; }
  // Returns whether choices were recorded, and forgets them.
  bool TakeChoice() { return std::exchange(saw_choices_, false); }

  // The errors of sums, products and transforms, in units of the last place of the largest number that goes into them.
  static constexpr double kUlpsOfNorm = 8;

 private:
  // Equal results of a function or a rounding may have equal errors. Those of a rounding are not common to all
  // elements, nor to both parts of a complex number.
  enum class Source { kSums, kFunction, kRounding };
  struct Kind {
    Source source = Source::kSums;
    bool is_away_from_zero = false;  // a common error makes all numbers larger, or all smaller
    bool keeps_small = false;        // half of the numbers that are smaller than their error stay
    bool keeps_largest = true;       // the largest number stays if it would become infinite
  };
  // Adds errors up to `bound(norm, place)`, where the norm of a real number is its magnitude, and that of a part of a
  // complex number the magnitude of the larger part; for a rounding its own.
  template <class Bound>
  void AddUpTo(Literal& array, const Bound& bound, Kind kind);

  std::uint64_t stream_;
  Errors errors_;
  bool are_alike_;  // the errors of equal numbers
  bool saw_choices_ = false;
};

}  // namespace assay
