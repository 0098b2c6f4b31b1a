// The part of an array's errors that its elements have in common, such as that of a function that is wrong by the same
// share everywhere.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "interpreter/types/literal.h"

namespace assay {

// The common error of a run x is the mean over the elements of (x - w) / s, and the same with the sign of w: w is the
// reference's number, s the largest distance of two runs. The errors of sums cancel in the mean, and their roundings,
// which differ from element to element. Half of every sampled error is common to all elements (Disturbance::Errors).
class CommonErrors {
 public:
  // The values are real or complex, and must outlive this object.
  CommonErrors(const Literal& want, const Literal& got);

  // Takes in two runs that made the same decisions.
  void See(const Literal& a, const Literal& b);
  // Takes in a run in which the uses of a value differ.
  void SeeUses(const Literal& run) { of_uses_.push_back(SomeNumbers(run)); }

  // Returns the way in which the result is far from all runs; empty if it is not, or has few elements.
  std::string Fault() const;

 private:
  using Numbers = std::vector<double>;
  struct Weight {
    std::size_t at = 0;
    double scale = 0;
    double unit = 0;  // in the last place, as a share of the scale
  };

  static Numbers SomeNumbers(const Literal& array);
  std::vector<Weight> Weights() const;
  double MeanOf(const Numbers& run, const std::vector<Weight>& weights, bool is_factor) const;

  PrimitiveType type_;
  Numbers want_, got_;
  std::vector<std::pair<Numbers, Numbers>> pairs_;
  std::vector<Numbers> of_uses_;
};

}  // namespace assay
