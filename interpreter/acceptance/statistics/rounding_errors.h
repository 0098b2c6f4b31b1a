// Judges the rounding errors of many sums together: each may be within its bound, yet all of them on one side.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/types/literal.h"

namespace assay {

// The errors of sums over disjoint terms, each rounding to nearest and independent of the others (the model of Higham
// and Mary, A new approach to probabilistic rounding error analysis, SIAM J. Sci. Comput. 41, 2019). Then, with a
// probability of at least 1 - 1e-9,
// - bias: the mean of T errors, in units of their bounds, is at most sqrt(2 ln(2e9) / T) (Hoeffding 1963);
// - spread: an error is sub-Gaussian, with a variance of 1 / roundings in these units, so that the mean of the squares
//   times the roundings is at most 1 + 2 sqrt(x / T) + 2 x / T with x = ln 1e9 (Hsu, Kakade, Zhang 2012).
class RoundingErrors {
 public:
  // `unit`: the noun for the unit of the errors.
  explicit RoundingErrors(std::string_view unit) : unit_(unit) {}

  struct Error {
    double exact = 0, magnitude = 0;  // of the sum; sums with equal significands of both count once
    double share = 0;                 // signed, of the unit
    double roundings = 0;             // that the unit allows for
  };
  void Add(const Error& error) { errors_.push_back(error); }
  // Returns the fault of the errors as a whole; empty if there is none, or for fewer than kLeastSums different sums.
  // `controls` are errors of lawful sums of the same terms. Roundings are not independent if these have a bias or a
  // large spread, and twice as much of either is allowed then.
  std::string Fault(std::span<const RoundingErrors> controls) const;

  static constexpr std::size_t kLeastSums = 64;

 private:
  struct Means;
  Means MeansOf() const;

  std::string_view unit_;
  std::vector<Error> errors_;
};

// The errors of the sums of one instruction.
struct SumErrors {
  RoundingErrors of_bound{"their bound"};
  // Those of sums in a wider accumulator, away from zero: a truncation shows for sums of both signs.
  RoundingErrors of_last_rounding{"their last rounding"};
  double terms = 0;  // of all sums

  // Returns the fault of either; `controls` as in RoundingErrors::Fault.
  std::string Fault(std::span<const SumErrors> controls) const;
};

// True if the errors of sums over these arrays may be treated as independent: no array of more than a few elements
// repeats most of its numbers.
bool LookUnrelated(std::span<const Literal> operands);
// Returns the number of components in all arrays.
double NumbersOf(std::span<const Literal> operands);

}  // namespace assay
