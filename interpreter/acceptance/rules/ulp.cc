// ulp: a function within its allowance, or within the result_accuracy of the instruction.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/sets/operand_facts.h"
#include "interpreter/acceptance/sets/reals.h"
#include "interpreter/acceptance/sets/widen.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

constexpr std::string_view kApproximation = "approximation";
constexpr std::string_view kNoZero = "not zero, where the exact value is";
constexpr std::string_view kOtherZero = "the exact value is the zero of the other sign";
constexpr std::string_view kNotFinite = "functions of complex numbers that are not finite";
constexpr std::string_view kBeyond = "beyond the ULP allowance of the function";

ElementVerdict ByShare(double share, std::string_view beyond) {
  // Exact values are known to 53 bits.
  constexpr double kSlack = 1 + 0x1p-24;
  if (share <= kSlack) return {Verdict::kLegal, kApproximation, share};
  return {Verdict::kFail, beyond, share};
}

// Returns the largest magnitude of the parts.
double NormOf(const Literal& value, std::int64_t offset) {
  double norm = 0;
  const int components = ComponentCount(value.element_type());
  for (int i = 0; i < components; ++i) {
    norm = std::max(norm, std::fabs(RealValue(ComponentAt(value, components * offset + i))));
  }
  return norm;
}

// Returns the allowed error of a part of a complex number. It is relative to the norm of the number, because a small
// part has the error of a large one beside it. Half a unit accounts for the rounding of the exact value.
double ComplexAllowance(double ulp, const Literal& want, std::int64_t offset, int part) {
  const RealElement element = ComponentAt(want, 2 * offset + part);
  const double unit = std::max(2 * UnitRoundoff(element.type) * NormOf(want, offset), SmallestSubnormal(element.type));
  return ulp * unit + UnitInTheLastPlace(element.type, RealValue(element)) / 2;
}

// Returns the sum of the magnitudes of the real products that a part of a complex product adds, and that may be
// flushed.
double SubnormalProducts(std::span<const Literal> factors, PrimitiveType type, std::int64_t offset, int part) {
  const auto part_of = [&](const Literal& factor, int i) {
    return RealValue(ComponentAt(factor, (factor.element_count() == 1 ? 0 : 2 * offset) + i));
  };
  double sum = 0;
  for (const int i : {0, 1}) {
    const double product = std::fabs(part_of(factors[0], i) * part_of(factors[1], i ^ part));
    if (product <= LeastNormal(type)) sum += product;
  }
  return sum;
}

ElementVerdict JudgeComplex(const std::function<double(int)>& allowance, const Literal& want, const Literal& got,
                            std::int64_t offset, bool may_be_nan) {
  double share = 0;
  bool has_nan = false;
  for (int i = 0; i < 2; ++i) {
    const double a = RealValue(ComponentAt(want, 2 * offset + i)), b = RealValue(ComponentAt(got, 2 * offset + i));
    if (!std::isfinite(a)) return {Verdict::kSpecGap, "complex results that are not finite"};
    if (std::isnan(b) && !may_be_nan) return {Verdict::kFail, "NaN where the exact value is finite"};
    has_nan |= std::isnan(b);
    share = std::max(share, std::isnan(b) ? 0 : std::fabs(a - b) / allowance(i));
  }
  if (has_nan && share <= 1) return {Verdict::kSpecGap, kNotFinite};
  return ByShare(share, kBeyond);
}

// Returns the allowance of StableHLO's RFC on result accuracy: |expected - actual| <= max(|expected| max(rtol, ulps
// epsilon), atol), with the moduli of complex numbers. `norm` is that of the rounded expected value. This costs half a
// unit more, and the expected value may be larger by as much.
double ToleranceAllowance(const Tolerance& tolerance, PrimitiveType part, double norm) {
  const double u = UnitRoundoff(part), rounding = u * norm + SmallestSubnormal(part) / 2;
  const double relative = std::max(tolerance.relative, tolerance.ulps * 2 * u);
  // The sum of both may be beyond f64.
  return std::max(norm * relative + rounding * relative, tolerance.absolute) + rounding;
}
double ToleranceAllowance(const Tolerance& tolerance, const Literal& want, std::int64_t offset) {
  const int components = ComponentCount(want.element_type());
  double norm = 0;
  for (int i = 0; i < components; ++i) {
    norm = std::hypot(norm, RealValue(ComponentAt(want, offset * components + i)));
  }
  return ToleranceAllowance(tolerance, ComponentAt(want, 0).type, norm);
}

class UlpRule : public AcceptanceRule {
 public:
  explicit UlpRule(const JudgedInstruction& judged)
      : rule_(judged.rule),
        type_(ComplexComponentType(judged.instruction.shape.element_type())),
        first_beyond_(IsFloatingPointType(type_) ? FirstBeyond(type_) : 0),
        flushes_parts_(IsComplexType(judged.instruction.shape.element_type()) && judged.arithmetic.flushes_subnormals &&
                       MayBeFlushed(type_)),
        flushes_products_(flushes_parts_ && AcceptanceOf(judged.instruction).folded == Acceptance::kProduct),
        exact_(judged.instruction, judged.operands),
        operands_(judged.operands),
        range_(judged.arithmetic.leaves_ranges ? FunctionRange()
                                               : AcceptanceOf(judged.instruction).Fact<FunctionRange>()) {}

  ElementVerdict Judge(const Literal& want, const Literal& got, const Place& place) override {
    if (!IsInexactType(want.element_type())) return {Verdict::kFail, "integers are exact"};
    if (!IsInRange(got, place.offset)) return {Verdict::kFail, "outside the range of the function", INFINITY};
    if (rule_.tolerance) return JudgeByTolerance(*rule_.tolerance, want, got, place);
    const ElementVerdict verdict = JudgeByUlp(rule_.allowance, want, got, place);
    if (verdict.verdict != Verdict::kLegal || !rule_.highest || rule_.highest->ulp == 0) return verdict;
    const ElementVerdict highest = JudgeByUlp(*rule_.highest, want, got, place);
    if (highest.verdict == Verdict::kLegal) return highest;
    return {Verdict::kSpecGap, "result_accuracy={mode=highest} has no number", verdict.share};
  }

  Reals Widen(const Reals& exact, const Literal& want, const Place& place, int part) override {
    if (!IsInexactType(want.element_type()) || exact.IsEmpty()) return exact;
    const PrimitiveType type = ComplexComponentType(want.element_type());
    if (IsComplexType(want.element_type())) return WidenComplex(exact, want, place, part);
    const double first_beyond = type == type_ ? first_beyond_ : FirstBeyond(type);
    if (exact.low == 0 && exact.high == 0 && !rule_.tolerance) return exact;
    const auto allowance = [&](double end) {
      if (rule_.tolerance) {
        return std::isfinite(end) ? ToleranceAllowance(*rule_.tolerance, type, std::fabs(end)) : 0;
      }
      return rule_.allowance.UlpAt(end) * UnitInTheLastPlace(type, std::clamp(end, -first_beyond, first_beyond));
    };
    // Inwards of a power of two units are larger. If that power is farther from the end than the end's allowance, the
    // ranges that those numbers accept do not extend beyond that of the end.
    const auto reach_inwards = [&](double end, double sign) {
      const double at_end = allowance(end);
      return rule_.tolerance ? at_end : std::max(at_end, allowance(end + sign * at_end));
    };
    double at_low = reach_inwards(exact.low, 1), at_high = reach_inwards(exact.high, -1);
    // An allowance that grows faster than the number is largest at the other end.
    const double ulps = rule_.tolerance ? rule_.tolerance->ulps : rule_.allowance.ulp;
    const double relative = std::max(rule_.tolerance ? rule_.tolerance->relative : 0, ulps * 2 * UnitRoundoff(type));
    if (exact.low < exact.high && relative >= 0.5) {
      const double reach = std::max(at_low, at_high);
      at_low = at_high = std::isinf(exact.low) || std::isinf(exact.high) ? INFINITY : reach;
    }
    // An exact infinity is far from every number. A value that only rounds to infinity is finite here.
    const double low = std::isinf(exact.low) ? exact.low : exact.low - at_low;
    const double high = std::isinf(exact.high) ? exact.high : exact.high + at_high;
    const Reals accepted = WithOverflow({low, high, exact.may_be_nan}, type);
    return {std::max(accepted.low, range_.low), std::min(accepted.high, range_.high), accepted.may_be_nan};
  }

  bool WidensByExactAlone() const override { return true; }

  std::vector<std::string> Explain(const Literal& want, const Place& place) override {
    if (!IsInexactType(want.element_type())) return {"ulp: integers are exact"};
    if (rule_.tolerance) {
      return {fmt::format("ulp: result_accuracy of the instruction asks for atol={:g}, rtol={:g}, ulps={:g}",
                          rule_.tolerance->absolute, rule_.tolerance->relative, rule_.tolerance->ulps),
              fmt::format("allowance = max(|exact| max(rtol, ulps 2u), atol) and half a unit for the rounding of the "
                          "exact value = {:.9g}",
                          ToleranceAllowance(*rule_.tolerance, want, place.offset))};
    }
    std::vector<std::string> steps = {
        fmt::format("ulp: {:g} units in the last place{} ({})", rule_.allowance.ulp,
                    rule_.allowance.ulp_per_log == 0
                        ? ""
                        : fmt::format(" and {:g} for each unit of |ln y|", rule_.allowance.ulp_per_log),
                    rule_.allowance.source)};
    if (IsComplexType(want.element_type())) {
      steps.push_back(fmt::format("of the larger part: the parts may be off by {:.9g} and {:.9g}",
                                  AllowanceOfPart(rule_.allowance, want, place.offset, 0),
                                  AllowanceOfPart(rule_.allowance, want, place.offset, 1)));
    } else {
      for (std::string& step : ExplainReal(want, place)) steps.push_back(std::move(step));
      if (std::isfinite(range_.low) || std::isfinite(range_.high)) {
        steps.push_back(
            fmt::format("and nothing outside the range of the function, {:g} to {:g}", range_.low, range_.high));
      }
    }
    if (rule_.highest && rule_.highest->ulp > 0) {
      steps.push_back(
          fmt::format("result_accuracy={{mode=highest}}: beyond {:g} ULP the verdict is SPEC-GAP", rule_.highest->ulp));
    }
    return steps;
  }

 private:
  // Overflow is an infinity, or NaN in formats without infinities.
  static Reals WithOverflow(Reals accepted, PrimitiveType type) {
    const double first_beyond = FirstBeyond(type);
    if (accepted.high >= first_beyond) accepted.high = INFINITY;
    if (accepted.low <= -first_beyond) accepted.low = -INFINITY;
    const bool is_beyond = std::isinf(accepted.low) || std::isinf(accepted.high);
    accepted.may_be_nan |= is_beyond && !FloatFormatOf(type).has_infinity;
    return accepted;
  }

  // True if an operand of an element is not finite. C's Annex G has a number for some of them where formulas give NaN:
  // for e^x (cos y + i sin y) with x = -infinity, y = infinity.
  bool IsOfNotFinite(std::int64_t offset) const {
    return std::ranges::any_of(operands_, [&](const Literal& operand) {
      return !IsFiniteElement(operand, operand.element_count() == 1 ? 0 : offset);
    });
  }

  double AllowanceOfPart(const Allowance& allowance, const Literal& want, std::int64_t offset, int part) const {
    const double flushed = flushes_products_ ? SubnormalProducts(operands_, type_, offset, part) : 0;
    return ComplexAllowance(allowance.ulp, want, offset, part) + flushed;
  }

  // The allowance is relative to the norm of the number, so it is known of the reference's result alone.
  Reals WidenComplex(const Reals& exact, const Literal& want, const Place& place, int part) const {
    const RealElement element = ComponentAt(want, 2 * place.offset + part);
    const double number = RealValue(element);
    const Reals rounded = Outward(BeforeRounding(element.type, number));
    const bool is_open = !IsFiniteElement(want, place.offset) || IsOfNotFinite(place.offset);
    if (is_open || exact.low < rounded.low || exact.high > rounded.high) return {};
    const double allowance = rule_.tolerance ? ToleranceAllowance(*rule_.tolerance, want, place.offset)
                                             : AllowanceOfPart(rule_.allowance, want, place.offset, part);
    return WithOverflow({number - allowance, number + allowance, exact.may_be_nan}, element.type);
  }

  ElementVerdict JudgeByUlp(const Allowance& allowance, const Literal& want, const Literal& got, const Place& place) {
    if (IsComplexType(want.element_type())) {
      const auto of_part = [&](int part) { return AllowanceOfPart(allowance, want, place.offset, part); };
      return JudgeComplex(of_part, want, got, place.offset, IsOfNotFinite(place.offset));
    }
    const RealElement a = ComponentAt(want, place.offset), b = ComponentAt(got, place.offset);
    const PrimitiveType type = a.type;
    if (IsZero(a) && IsExactZero(operands_, place.offset)) {
      return {Verdict::kFail, IsZero(b) ? kOtherZero : kNoZero, INFINITY};
    }
    const std::optional<double> exact = exact_.At(place.tuple_index, want, place.offset);
    if (IsNan(a) && (!exact || std::isnan(*exact))) return {Verdict::kFail, "a number for NaN", INFINITY};
    // Overflow is infinity, or NaN in formats without infinities.
    const bool has_infinity = FloatFormatOf(type).has_infinity;
    if (IsNan(b) && has_infinity) return {Verdict::kFail, "NaN where the exact value is a number", INFINITY};
    const double sign = exact ? *exact : RealValue(a), ulp = allowance.UlpAt(sign);
    const double value = IsNan(b) ? std::copysign(FirstBeyond(type), sign)
                                  : std::clamp(RealValue(b), -FirstBeyond(type), FirstBeyond(type));
    if (exact) {
      const bool both_overflow = std::fabs(*exact) >= FirstBeyond(type) && std::fabs(value) >= FirstBeyond(type);
      if (both_overflow && std::signbit(*exact) == std::signbit(value)) return {Verdict::kLegal, kApproximation};
      return ByShare(std::fabs(value - *exact) / (ulp * UnitInTheLastPlace(type, *exact)), kBeyond);
    }
    return JudgeByRounded(ulp, RealValue(a), value, type);
  }

  // Judges by the `result_accuracy` of the instruction. In a real result an infinity counts as the number after the
  // largest finite one, as it does for units in the last place; in formats without infinities NaN does. If the exact
  // value rounds to the largest number or overflows, the distance is that of the exact value.
  ElementVerdict JudgeByTolerance(const Tolerance& tolerance, const Literal& want, const Literal& got,
                                  const Place& place) {
    const int components = ComponentCount(want.element_type());
    double distance = 0, norm = 0;
    for (int i = 0; i < components; ++i) {
      const std::int64_t at = place.offset * components + i;
      const RealElement a = ComponentAt(want, at), b = ComponentAt(got, at);
      const double rounded = RealValue(a), beyond = FirstBeyond(a.type);
      const bool is_in_range = std::fabs(rounded) < LargestFinite(a.type);
      const double expected = is_in_range ? rounded : exact_.At(place.tuple_index, want, at).value_or(rounded);
      norm = std::hypot(norm, expected);
      if (a.bits == b.bits || (IsNan(a) && IsNan(b))) continue;
      const double number =
          IsNan(b) && !FloatFormatOf(b.type).has_infinity ? std::copysign(beyond, expected) : RealValue(b);
      const double actual = IsComplexType(want.element_type()) ? number : std::clamp(number, -beyond, beyond);
      if (!std::isfinite(expected) || !std::isfinite(actual)) {
        return {Verdict::kFail, "not finite, against the exact value", INFINITY};
      }
      // A part of a complex number that is zero may have been subnormal.
      const double flushed = flushes_parts_ && actual == 0 ? LeastNormal(a.type) : 0;
      distance = std::hypot(distance, std::max(std::fabs(expected - actual) - flushed, 0.0));
    }
    // The allowance of numbers below the least subnormal number is 0 in f64.
    if (distance == 0) return {Verdict::kLegal, kApproximation};
    return ByShare(distance / ToleranceAllowance(tolerance, ComponentAt(want, 0).type, norm),
                   "beyond the result_accuracy that the instruction asks for");
  }

  // Judges by the rounded exact value, if no more of it is known. The exact value is within half a unit of it; below a
  // power of two, where the units are smaller, within a quarter.
  static ElementVerdict JudgeByRounded(double ulp, double want, double value, PrimitiveType type) {
    if (std::isinf(want)) {
      const bool is_near = std::copysign(value, want) == value &&
                           (FirstBeyond(type) - std::fabs(value)) <= ulp * UnitInTheLastPlace(type, value);
      if (is_near) return {Verdict::kWeak, "the exact value is beyond f64, and how far is not known"};
      return {Verdict::kFail, kBeyond, INFINITY};
    }
    const double unit = UnitInTheLastPlace(type, want);
    const bool is_below = std::fabs(value) < std::fabs(want) && std::signbit(value) == std::signbit(want);
    return ByShare(std::fabs(value - want) / ((is_below && IsPowerOfTwo(want) ? ulp : ulp + 0.5) * unit), kBeyond);
  }

  std::vector<std::string> ExplainReal(const Literal& want, const Place& place) {
    const RealElement value = ComponentAt(want, place.offset);
    const std::optional<double> exact = exact_.At(place.tuple_index, want, place.offset);
    const double centre = exact ? *exact : RealValue(value);
    if (std::isnan(centre)) return {"accepted: any NaN"};
    const double unit = UnitInTheLastPlace(value.type, centre);
    const double ulp = rule_.allowance.UlpAt(centre), allowance = (exact ? ulp : ulp + 0.5) * unit;
    return {exact ? fmt::format("exact value {:.17g}", centre) : "exact value known to half a unit",
            fmt::format("unit in the last place {:g}", unit),
            fmt::format("accepted: {:.17g} to {:.17g}", centre - allowance, centre + allowance)};
  }

  bool IsInRange(const Literal& got, std::int64_t offset) const {
    if (IsComplexType(got.element_type())) return true;
    const double value = RealValue(ComponentAt(got, offset));
    return !(value < range_.low || value > range_.high);
  }

  const RuleChoice& rule_;
  const PrimitiveType type_;   // of the components of the result; a tuple has none
  const double first_beyond_;  // of that type
  const bool flushes_parts_;   // of complex numbers
  const bool flushes_products_;
  ExactResult exact_;
  std::span<const Literal> operands_;
  const FunctionRange range_;
};

void TakeResultAccuracy(const HloInstruction& instruction, const Profile& profile, RuleChoice& rule) {
  const auto& accuracy = instruction.result_accuracy;
  if (!accuracy) return;
  if (accuracy->is_highest) {
    rule.highest = profile.highest();
  } else {
    rule.tolerance = {accuracy->atol, accuracy->rtol, static_cast<double>(accuracy->ulps)};
  }
}

void ChooseUlp(const HloInstruction& instruction, const Profile& profile, RuleChoice& choice) {
  choice.allowance = profile.AllowanceOf(instruction.op->name, JudgedType(instruction));
  TakeResultAccuracy(instruction, profile, choice);
  if (choice.allowance.ulp == 0 && !choice.tolerance) choice.acceptance = Acceptance::kExact;
}

// Returns the units that the allowance has for any finite number of an array of real numbers.
double LargestUlp(const Allowance& allowance, const Literal& result) {
  double largest = allowance.ulp;
  for (std::int64_t i = 0; IsRealArray(result) && i < result.element_count(); ++i) {
    const double number = RealValue(ComponentAt(result, i));
    if (number != 0 && std::isfinite(number)) largest = std::max(largest, allowance.UlpAt(number));
  }
  return largest;
}

void DisturbUlp(const JudgedInstruction& judged, Disturbance& disturbance, Literal& result) {
  const std::optional<Tolerance>& tolerance = judged.rule.tolerance;
  const Allowance& allowance = judged.rule.allowance;
  if (!tolerance && allowance.ulp_per_log == 0) return disturbance.AddOfFunction(result, allowance.ulp);
  if (!tolerance) return disturbance.AddOfFunction(result, LargestUlp(allowance, result));
  const double unit = 2 * UnitRoundoff(ComplexComponentType(result.element_type()));
  disturbance.AddRelative(result, std::max(tolerance->relative, tolerance->ulps * unit), tolerance->absolute);
}

}  // namespace

const Rule rule_ulp = {
    .name = "ulp",
    .choose = ChooseUlp,
    .make = MakeJudge<UlpRule>,
    .disturb = DisturbUlp,
    .noise = "approximation",
};

}  // namespace assay
