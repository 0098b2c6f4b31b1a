#include <cmath>

#include "interpreter/acceptance/rules.h"

namespace assay {
namespace {

constexpr std::string_view kBeyond = "beyond the ULP allowance of the function";

ElementVerdict ByShare(double share, std::string_view beyond) {
  if (share <= 1) return {Verdict::kLegal, "approximation", share};
  return {Verdict::kFail, beyond, share};
}

// Complex results are judged by their norm: a small part next to a large one carries the error of the large one.
ElementVerdict JudgeComplex(double ulp, const Literal& want, const Literal& got, std::int64_t offset) {
  const RealElement part = ComponentAt(want, 2 * offset);
  double norm = 0, distance = 0;
  for (int i = 0; i < 2; ++i) {
    const double a = RealValue(ComponentAt(want, 2 * offset + i)), b = RealValue(ComponentAt(got, 2 * offset + i));
    if (!std::isfinite(a)) return {Verdict::kSpecGap, "complex results that are not finite"};
    if (std::isnan(b)) return {Verdict::kFail, "NaN where the exact value is finite"};
    norm = std::max(norm, std::fabs(a));
    distance = std::max(distance, std::fabs(a - b));
  }
  return ByShare(distance / (ulp * 2 * UnitRoundoff(part.type) * norm + SmallestSubnormal(part.type)), kBeyond);
}

ElementVerdict JudgeByUlp(double ulp, const Literal& want, const Literal& got, std::int64_t offset) {
  if (IsComplexType(want.element_type())) return JudgeComplex(ulp, want, got, offset);
  return ByShare(WorstUlps(want, got, offset) / ulp, kBeyond);
}

// |expected - actual| <= max(|expected| max(rtol, ulps epsilon), atol), as StableHLO's RFC on result accuracy has it;
// `want` is the expected value rounded, which costs half a unit more.
ElementVerdict JudgeByTolerance(const Tolerance& tolerance, const Literal& want, const Literal& got,
                                std::int64_t offset) {
  const int components = ComponentsOf(want.element_type());
  double norm = 0, distance = 0, u = 0, eta = 0;
  for (int i = 0; i < components; ++i) {
    const RealElement a = ComponentAt(want, offset * components + i), b = ComponentAt(got, offset * components + i);
    if (a.bits == b.bits || (IsNan(a) && IsNan(b))) continue;
    const double expected = RealValue(a), actual = RealValue(b);
    if (!std::isfinite(expected) || !std::isfinite(actual)) {
      return {Verdict::kFail, "not finite, against the exact value", INFINITY};
    }
    distance = std::hypot(distance, expected - actual);
  }
  for (int i = 0; i < components; ++i) {
    const RealElement a = ComponentAt(want, offset * components + i);
    norm = std::hypot(norm, RealValue(a));
    u = UnitRoundoff(a.type);
    eta = SmallestSubnormal(a.type);
  }
  const double allowed = std::max(norm * std::max(tolerance.relative, tolerance.ulps * 2 * u), tolerance.absolute);
  return ByShare(distance / (allowed + u * norm + eta / 2), "beyond the result_accuracy that the instruction asks for");
}

}  // namespace

ElementVerdict JudgeUlps(const Rule& rule, const Literal& want, const Literal& got, std::int64_t offset) {
  if (!IsReal(want.element_type())) return {Verdict::kFail, "integers are exact"};
  if (rule.tolerance) return JudgeByTolerance(*rule.tolerance, want, got, offset);
  const ElementVerdict verdict = JudgeByUlp(rule.allowance.ulp, want, got, offset);
  if (verdict.verdict != Verdict::kLegal || !rule.highest || rule.highest->ulp == 0) return verdict;
  const ElementVerdict highest = JudgeByUlp(rule.highest->ulp, want, got, offset);
  if (highest.verdict == Verdict::kLegal) return highest;
  return {Verdict::kSpecGap, "result_accuracy={mode=highest} has no number", verdict.share};
}

}  // namespace assay
