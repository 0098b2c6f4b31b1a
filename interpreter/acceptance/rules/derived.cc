// derived: within the error bound that the op derives from its operands.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/sets/reals.h"

namespace assay {
namespace {

class DerivedRule : public AcceptanceRule {
 public:
  explicit DerivedRule(const JudgedInstruction& judged) : judged_(judged) {}

  ElementVerdict Judge(const Literal& want, const Literal& got, const Place& place) override {
    const RealElement a = ComponentAt(want, place.offset), b = ComponentAt(got, place.offset);
    const double bound = BoundAt(place), expected = RealValue(a), actual = RealValue(b);
    if (std::isnan(bound)) return {Verdict::kSpecGap, "a result that is not finite"};
    if (std::isinf(bound)) return {Verdict::kWeak, "rounding errors may be as large as what they are errors of"};
    if (std::isnan(expected) || std::isnan(actual)) return {Verdict::kFail, "NaN in one of two results", INFINITY};
    // Intermediate results may overflow, too, if the bound reaches the largest finite number.
    if (std::fabs(expected) + bound >= LargestFinite(a.type)) return {Verdict::kSpecGap, "a result that may overflow"};
    if (!std::isfinite(actual)) return {Verdict::kFail, "not finite, against the exact value", INFINITY};
    const double share = std::fabs(expected - actual) / bound;
    if (share > 1) return {Verdict::kFail, "outside the bound that the operands derive", share};
    // Zeros and results of the other sign would pass as well. In wider types the bound of a sum that cancels is small
    // relative to its terms.
    if (BitWidth(a.type) <= 16 && bound >= LargestOf(want, place)) {
      return {Verdict::kWeak, "rounding errors may be as large as the largest result", share};
    }
    return {Verdict::kLegal, "reassociation", share};
  }

  std::vector<std::string> Explain(const Literal& want, const Place& place) override {
    const double bound = BoundAt(place), value = RealValue(ComponentAt(want, place.offset));
    std::vector<std::string> steps = {
        fmt::format("derived: the op's own bound of its rounding errors (docs/verdicts.md) gives {:.9g} here", bound)};
    if (std::isnan(bound)) {
      steps.push_back("operands or a result that are not finite: SPEC-GAP");
    } else if (std::isinf(bound)) {
      steps.push_back("no number bounds the errors: other values are WEAK");
    } else {
      steps.push_back(fmt::format("accepted: {:.17g} to {:.17g}", value - bound, value + bound));
    }
    return steps;
  }

  Reals Widen(const Reals& exact, const Literal& want, const Place& place, int) override {
    const double bound = BoundAt(place), largest = LargestFinite(ComponentAt(want, 0).type);
    if (!std::isfinite(bound) || !(std::max(std::fabs(exact.low), std::fabs(exact.high)) + bound < largest)) return {};
    return {exact.low - bound, exact.high + bound, exact.may_be_nan};
  }

 private:
  double BoundAt(const Place& place) {
    if (!bounds_)
      bounds_ = AcceptanceOf(judged_.instruction).Fact<ErrorBoundFunction>()(judged_.instruction, judged_.operands);
    return place.LeafOf(*bounds_).values<double>()[place.offset];
  }

  double LargestOf(const Literal& leaf, const Place& place) {
    const auto [known, is_new] = largest_.try_emplace(place.tuple_index, 0);
    if (is_new) known->second = LargestValue(leaf);
    return known->second;
  }

  const JudgedInstruction& judged_;
  std::optional<Literal> bounds_;
  std::map<std::vector<std::int64_t>, double> largest_;  // the largest magnitude of a leaf
};

void DisturbDerived(const JudgedInstruction& judged, Disturbance& disturbance, Literal& result) {
  disturbance.AddWithin(
      result, AcceptanceOf(judged.instruction).Fact<ErrorBoundFunction>()(judged.instruction, judged.operands));
}

}  // namespace

const Rule rule_derived = {
    .name = "derived",
    .takes_an_order = true,
    .make = MakeJudge<DerivedRule>,
    .disturb = DisturbDerived,
    .noise = "algorithm",
};

}  // namespace assay
