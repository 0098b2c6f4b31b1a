// The rounding errors of many sums, judged together: each may be inside its bound and all of them on one side.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "interpreter/types/literal.h"

namespace assay {

// Errors of sums over terms of their own, each rounding to nearest and independent of the others (the model of Higham
// and Mary, A new approach to probabilistic rounding error analysis, SIAM J. Sci. Comput. 41, 2019). Then, but for a
// chance of 1e-9,
// - bias: the mean of T errors, in units of their bounds, is at most sqrt(2 ln(2e9) / T) (Hoeffding 1963);
// - spread: an error is sub-Gaussian, with a variance of 1 / roundings in these units, so that the mean of the squares
//   times the roundings is at most 1 + 2 sqrt(x / T) + 2 x / T with x = ln 1e9 (Hsu, Kakade, Zhang 2012).
class RoundingErrors {
 public:
  struct Error {
    double exact = 0, magnitude = 0;  // of the sum; sums that agree in both, up to a power of two, are taken for one
    double share = 0;                 // signed, of the bound
    double roundings = 0;             // that the bound has room for
  };
  void Add(const Error& error) { errors_.push_back(error); }
  // What is wrong with them as a whole; empty: nothing. Fewer than kLeastSums different sums say nothing.
  std::string Fault() const;

  static constexpr std::size_t kLeastSums = 64;

 private:
  std::vector<Error> errors_;
};

// Whether the numbers of arrays are such that the errors of their sums may be taken for independent: no array of more
// than a few elements in which most numbers are repeated.
bool LookUnrelated(std::span<const Literal> operands);
// Numbers in all arrays.
double NumbersOf(std::span<const Literal> operands);

}  // namespace assay
