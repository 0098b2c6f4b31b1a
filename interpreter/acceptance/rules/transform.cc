// transform: the bound of a fast Fourier transform, by norm (docs/bounds.md#the-bound-of-a-fourier-transform).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/limits.h"

namespace assay {
namespace {

// Returns the number of elements of one transform in a result.
std::int64_t SizeOf(const Literal& result, const DiscreteTransform& transform) {
  return Product(std::span(result.shape().dimensions()).last(transform.lengths.size()));
}

class TransformRule : public AcceptanceRule {
 public:
  explicit TransformRule(const JudgedInstruction& judged)
      : input_(judged.operands[0]),
        transform_(AcceptanceOf(judged.instruction).Fact<TransformFunction>()(judged.instruction)),
        flushes_(judged.arithmetic.flushes_subnormals) {}

  ElementVerdict Judge(const Literal& want, const Literal& got, const Place& place) override {
    const double norm = NormOf(want, place);
    if (!std::isfinite(norm)) return {Verdict::kSpecGap, "a transform with numbers that are not finite"};
    const int components = ComponentCount(want.element_type());
    double share = 0;
    for (int i = 0; i < components; ++i) {
      const RealElement a = ComponentAt(want, place.offset * components + i);
      const RealElement b = ComponentAt(got, place.offset * components + i);
      if (!std::isfinite(RealValue(b))) return JudgeOverflow(norm, a.type);
      share = std::max(share, std::fabs(RealValue(a) - RealValue(b)) / Bound(norm, a.type));
    }
    if (share > 1) return {Verdict::kFail, "outside the bound of a fast Fourier transform", share};
    return {Verdict::kLegal, "reassociation", share};
  }

  // Judges the norm of all errors of a transform. The theorem bounds this norm, which is sharper than a bound for each
  // error.
  void JudgeWhole(const Literal& want, const Literal& got, Judgement& judgement) override {
    if (judgement.verdict != Verdict::kLegal) return;
    const PrimitiveType type = ComponentAt(want, 0).type;
    const std::int64_t size = SizeOf(want, transform_);
    for (std::int64_t first = 0; first < want.element_count(); first += size) {
      double errors = 0;
      for (std::int64_t i = first * ComponentCount(want.element_type());
           i < (first + size) * ComponentCount(want.element_type()); ++i) {
        errors = std::hypot(errors, RealValue(ComponentAt(want, i)) - RealValue(ComponentAt(got, i)));
      }
      const double share = errors / NormBound(NormOf(want, {{}, first}), static_cast<double>(size), type);
      if (share > judgement.worst.share) judgement.worst.share = share;
      // A NaN share: both transforms have non-finite numbers in the same places.
      if (!(share > 1)) continue;
      judgement.verdict = Verdict::kFail;
      judgement.reason = "the norm of all errors is outside the bound of a fast Fourier transform";
    }
  }

  std::vector<std::string> Explain(const Literal& want, const Place& place) override {
    const double norm = NormOf(want, place);
    const PrimitiveType type = ComponentAt(want, 0).type;
    return {fmt::format("transform: N = {} points, norm of the whole transform |X| = {:.9g}",
                        Product(transform_.lengths), norm),
            fmt::format("allowance of each part, and of the norm of all errors, = 24 (1 + log2 N) (u |X| + N times "
                        "what underflow costs) = {:.9g}, u = "
                        "{:.3g} of {}",
                        Bound(norm, type), UnitRoundoff(type), PrimitiveTypeName(type))};
  }

  Reals Widen(const Reals& exact, const Literal& want, const Place& place, int) override {
    const double norm = NormOf(want, place);
    const PrimitiveType type = ComponentAt(want, 0).type;
    const double bound = Bound(norm, type);
    if (!std::isfinite(norm) || OnTheWay(norm) + bound >= LargestFinite(type)) return {};
    return {exact.low - bound, exact.high + bound, exact.may_be_nan};
  }

  // Returns the norm of the transform that contains the element. An RFFT returns half of it; the mirror image has the
  // same norm. An IRFFT of several dimensions first computes with, then drops, numbers as large as its operand.
  double NormOf(const Literal& want, const Place& place) {
    if (normed_ != want.data()) {
      norms_ = NormsOf(want);
      normed_ = want.data();
    }
    return norms_[place.offset / SizeOf(want, transform_)];
  }

 private:
  std::vector<double> NormsOf(const Literal& want) const {
    const bool drops = IsFloatingPointType(want.element_type()) && transform_.lengths.size() > 1;
    const auto length = static_cast<double>(Product(transform_.lengths));
    std::vector<double> norms;
    for (std::int64_t transform = 0; transform < want.element_count() / SizeOf(want, transform_); ++transform) {
      double norm = NormOf(want, transform, SizeOf(want, transform_));
      if (drops) {
        norm = std::max(
            norm, NormOf(input_, transform, SizeOf(input_, transform_)) * std::numbers::sqrt2 / std::sqrt(length));
      }
      norms.push_back(norm * std::numbers::sqrt2);
    }
    return norms;
  }

  static double NormOf(const Literal& array, std::int64_t transform, std::int64_t size) {
    const std::int64_t count = size * ComponentCount(array.element_type());
    double norm = 0;
    LimitCheck check;
    for (std::int64_t i = transform * count; i < (transform + 1) * count; ++i) {
      check();
      norm = std::hypot(norm, RealValue(ComponentAt(array, i)));
    }
    return norm;
  }

  // Judges a result that is not finite. Intermediate results are sums of at most N inputs: at most |X|, or N |X| if the
  // division by N is last.
  ElementVerdict JudgeOverflow(double norm, PrimitiveType type) const {
    if (OnTheWay(norm) >= LargestFinite(type)) return {Verdict::kSpecGap, "a transform that may overflow on the way"};
    return {Verdict::kFail, "not finite, against the exact value", INFINITY};
  }

  // Returns a bound of the intermediate results, before an inverse transform is divided by its length.
  double OnTheWay(double norm) const {
    return 2 * norm * (transform_.is_inverse ? static_cast<double>(Product(transform_.lengths)) : 1);
  }

  double Bound(double norm, PrimitiveType type) const { return NormBound(norm, 1, type); }

  // Returns the bound of the norm of the errors of so many elements.
  double NormBound(double norm, double elements, PrimitiveType type) const {
    const auto length = static_cast<double>(Product(transform_.lengths));
    // Each sum and product that contributes to an element may underflow.
    const double underflow = (flushes_ ? LeastNormal(type) : SmallestSubnormal(type)) * std::sqrt(2 * elements);
    return 24 * (1 + std::log2(length)) * (UnitRoundoff(type) * norm + length * underflow);
  }

  const Literal& input_;
  const DiscreteTransform transform_;
  const bool flushes_;
  // The norms of all transforms of the result at `normed_`. The first call computes them: all elements of a transform
  // share its norm.
  std::vector<double> norms_;
  const std::byte* normed_ = nullptr;
};

// Adds errors of the size that fast Fourier transforms have: about a unit roundoff for each step, relative to the root
// mean square of the numbers of a transform.
void DisturbTransform(const JudgedInstruction& judged, Disturbance& disturbance, Literal& result) {
  const DiscreteTransform transform = AcceptanceOf(judged.instruction).Fact<TransformFunction>()(judged.instruction);
  const std::int64_t size = SizeOf(result, transform), components = ComponentCount(result.element_type());
  const double steps = 1 + std::log2(static_cast<double>(std::max<std::int64_t>(Product(transform.lengths), 1)));
  const double share = 2 * UnitRoundoff(ComplexComponentType(result.element_type())) *
                       std::sqrt(steps / static_cast<double>(std::max<std::int64_t>(size * components, 1)));
  TransformRule rule(judged);
  Literal bound(ShapeUtil::MakeShape(F64, {result.element_count() * components}));
  for (std::int64_t first = 0; first < result.element_count(); first += size) {
    const double error = share * rule.NormOf(result, {{}, first});
    const auto of_transform = bound.mutable_values<double>().subspan(first * components, size * components);
    std::ranges::fill(of_transform, std::isfinite(error) ? error : 0);
  }
  disturbance.AddWithin(result, bound);
}

}  // namespace

const Rule rule_transform = {
    .name = "transform",
    .takes_an_order = true,
    .make = MakeJudge<TransformRule>,
    .disturb = DisturbTransform,
    .noise = "algorithm",
};

}  // namespace assay
