// The required accuracy of a function's result, if its instruction states one: result_accuracy={...}.
#pragma once

#include <cstdint>
#include <string>

namespace assay {

struct ResultAccuracy {
  bool is_highest = false;  // mode=highest: the backend's best accuracy; otherwise the tolerances
  double atol = 0;
  double rtol = 0;
  std::int64_t ulps = 0;

  // Returns "{mode=highest}" or "{tolerance={atol=0,rtol=0,ulps=2}}". XLA prints six digits of a number; `is_exact`: as
  // many as reading back requires.
  std::string ToString(bool is_exact) const;
  bool operator==(const ResultAccuracy&) const = default;
};

// Prints a number of an attribute in the same two ways.
std::string PrintFloat(double value, bool is_exact);

}  // namespace assay
