// How exact the result of a function has to be, where its instruction says so: result_accuracy={...}.
#pragma once

#include <cstdint>
#include <string>

namespace assay {

struct ResultAccuracy {
  bool is_highest = false;  // mode=highest: as exact as the backend can; else the tolerances
  double atol = 0;
  double rtol = 0;
  std::int64_t ulps = 0;

  // "{mode=highest}" or "{tolerance={atol=0,rtol=0,ulps=2}}". XLA prints six digits of a number; `is_exact`: as many as
  // read back to the same one.
  std::string ToString(bool is_exact) const;
  bool operator==(const ResultAccuracy&) const = default;
};

// A number of an attribute in the same two ways.
std::string PrintFloat(double value, bool is_exact);

}  // namespace assay
