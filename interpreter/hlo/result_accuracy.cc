#include "interpreter/hlo/result_accuracy.h"

#include <fmt/format.h>

namespace assay {

std::string PrintFloat(double value, bool is_exact) {
  return is_exact ? fmt::format("{}", value) : fmt::format("{:g}", value);
}

std::string ResultAccuracy::ToString(bool is_exact) const {
  if (is_highest) return "{mode=highest}";
  return fmt::format("{{tolerance={{atol={},rtol={},ulps={}}}}}", PrintFloat(atol, is_exact),
                     PrintFloat(rtol, is_exact), ulps);
}

}  // namespace assay
