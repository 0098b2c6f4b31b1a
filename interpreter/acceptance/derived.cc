#include <cmath>

#include "interpreter/acceptance/rules.h"

namespace assay {

ElementVerdict JudgeDerived(double bound, const Literal& want, const Literal& got, std::int64_t offset) {
  const RealElement a = ComponentAt(want, offset), b = ComponentAt(got, offset);
  const double expected = RealValue(a), actual = RealValue(b);
  if (std::isnan(bound)) return {Verdict::kSpecGap, "a result that is not finite"};
  if (std::isinf(bound)) return {Verdict::kWeak, "rounding errors may be as large as what they are errors of"};
  if (std::isnan(expected) || std::isnan(actual)) return {Verdict::kFail, "NaN in one of two results", INFINITY};
  // Numbers in between, not only the result, may overflow where the bound reaches that far.
  if (std::fabs(expected) + bound >= LargestFinite(a.type)) return {Verdict::kSpecGap, "a result that may overflow"};
  if (!std::isfinite(actual)) return {Verdict::kFail, "not finite, against the exact value", INFINITY};
  const double share = std::fabs(expected - actual) / bound;
  if (share > 1) return {Verdict::kFail, "outside the bound that the operands derive", share};
  return {Verdict::kLegal, "reassociation", share};
}

}  // namespace assay
