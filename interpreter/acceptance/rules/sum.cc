// sum: within the bound of a sum in any order (docs/bounds.md#the-bound-of-a-sum), and without a bias as a whole.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/ops/common/sum_terms.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/record_element.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/sets/operand_facts.h"
#include "interpreter/acceptance/sets/reals.h"
#include "interpreter/acceptance/sets/widen.h"
#include "interpreter/acceptance/statistics/rounding_errors.h"
#include "interpreter/acceptance/statistics/sums/sum_samples.h"
#include "interpreter/acceptance/statistics/sums/term_sizes.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

using Terms = TermSizes::Of;

constexpr std::string_view kOneAddition = "two terms have one sum, rounded once";
constexpr std::string_view kNarrowBound =
    "the bound of the sum in a narrow accumulator is as large as its terms: --profile xla-wide, without one, decides";
// The number of sums of an array that are judged together: all, or every few. More would not show a bias more clearly.
constexpr std::int64_t kMostSumsTogether = 1 << 20;
// The largest share of underflow in a bound whose errors count as roundings to nearest.
constexpr double kNegligible = 1e-3;
// Independent roundings to nearest give a sum an error above this multiple of the root of its bound's roundings with a
// probability of 2 exp(-kFar^2 / 2) = 2.5e-14 (Hoeffding 1963). Only such a sum is compared with algorithms.
constexpr double kFar = 8;

class SumRule : public AcceptanceRule {
 public:
  explicit SumRule(const JudgedInstruction& judged)
      : judged_(judged),
        precision_(PrecisionOf(judged.instruction, judged.profile)),
        exact_(judged.instruction, judged.operands),
        is_fold_(AcceptanceOf(judged.instruction).rule == Acceptance::kCalled),
        sizes_(judged, is_fold_) {
    if (const auto of = AcceptanceOf(judged.instruction).Fact<AlgorithmFunction>()) algorithm_ = of(judged.instruction);
    if (precision_ != nullptr) algorithm_ = precision_->algorithm;
  }

  ElementVerdict Judge(const Literal& want, const Literal& got, const Place& place) override {
    if (!IsInexactType(want.element_type())) return {Verdict::kFail, "integer sums are exact"};
    const std::optional<Terms> terms = sizes_.At(place);
    if (!terms) return {Verdict::kWeak, "the bound of the sum could not be computed"};
    if (IsOpenComplex(want, place)) return {Verdict::kSpecGap, "complex results that are not finite"};
    const int components = ComponentCount(want.element_type());
    ElementVerdict worst;
    for (int i = 0; i < components; ++i) {
      const std::int64_t at = place.offset * components + i;
      const ElementVerdict part =
          JudgePart(*terms, ComponentAt(want, at), ComponentAt(got, at), exact_.At(place.tuple_index, want, at));
      if (part.verdict > worst.verdict || (part.verdict == worst.verdict && part.share > worst.share)) worst = part;
    }
    return worst;
  }

  std::vector<std::string> Explain(const Literal& want, const Place& place) override {
    if (!IsInexactType(want.element_type())) return {"sum: integer sums are exact"};
    const std::optional<Terms> terms = sizes_.At(place);
    if (!terms) return {"sum: the instruction could not be evaluated on magnitudes: other values are WEAK"};
    const PrimitiveType type = ComponentAt(want, 0).type;
    const double allowance =
        AllowanceOf(*terms, type, RealValue(ComponentAt(want, place.offset * ComponentCount(want.element_type()))));
    std::vector<std::string> steps = {
        fmt::format("sum: n = {:g} terms, without zeros", terms->count),
        fmt::format("sum|terms| = {:.9g}, the instruction evaluated on magnitudes", terms->magnitude)};
    if (algorithm_) {
      const std::string cause = precision_ == nullptr ? fmt::format("algorithm={}", algorithm_->name)
                                                      : fmt::format("precision ({})", precision_->source);
      steps.push_back(fmt::format("{}: operands may be off by e = {:.3g} of themselves, {:g} products each", cause,
                                  algorithm_->operand_error, algorithm_->products));
    }
    steps.push_back(fmt::format("u = {:.3g}, the unit roundoff of {}", AccumulatorRoundoff(type, Algorithm()),
                                algorithm_ ? "the accumulator or the result" : PrimitiveTypeName(type)));
    steps.push_back(fmt::format(
        "allowance = (n + 2) u sum|terms|{} + {} = {:.9g}", algorithm_ ? " (1 + e)^2 + (2e + e^2) sum|terms|" : "",
        Flushes(type) ? "terms and (2n + 1) least normal numbers that may be flushed" : "(n + 1) eta", allowance));
    const int components = ComponentCount(want.element_type());
    bool has_one_value = false;
    for (int i = 0; i < components; ++i) {
      const std::int64_t at = place.offset * components + i;
      const double value = exact_.At(place.tuple_index, want, at).value_or(RealValue(ComponentAt(want, at)));
      const std::string_view one = ReasonOfOneValue(*terms, type, value);
      steps.push_back(one.empty() ? fmt::format("accepted: {:.17g} to {:.17g}", value - allowance, value + allowance)
                                  : fmt::format("{}: only {:.17g}, rounded once, is accepted", one, value));
      has_one_value |= !one.empty();
    }
    if (!has_one_value && allowance >= std::max(terms->magnitude, terms->tile))
      steps.push_back("as wide as the terms are large: other values are WEAK");
    return steps;
  }

  Reals Widen(const Reals& exact, const Literal& want, const Place& place, int) override {
    if (!IsInexactType(want.element_type())) return exact;
    const std::optional<Terms> terms = sizes_.At(place);
    // A scaled complex number is a product. A multiplication may recover infinities from NaN parts.
    const bool is_scaled = IsComplexType(want.element_type()) && IsScaled();
    const PrimitiveType type = ComponentAt(want, 0).type;
    // In a format without infinities NaN may be a sum that overflowed, and that does not overflow in another order.
    const bool may_be_overflow =
        terms && !FloatFormatOf(type).has_infinity && terms->magnitude * 2 >= LargestFinite(type);
    if (IsOpenComplex(want, place)) return {};
    if (exact.IsEmpty()) return is_scaled || may_be_overflow ? Reals() : exact;
    if (!terms || !std::isfinite(terms->magnitude)) return {};
    if (exact.low == exact.high && IsOrderProof(*terms, type)) return exact;
    const double allowance = AllowanceOf(*terms, type, std::max(std::fabs(exact.low), std::fabs(exact.high)));
    // A partial sum that overflows is an infinity of either sign; two of different signs add up to NaN.
    if (terms->magnitude + allowance >= LargestFinite(type)) return {};
    // Infinite ends stay infinite.
    const double least = exact.low > 0 ? exact.low : exact.high < 0 ? -exact.high : 0;
    const double slack = HasOneValue(*terms, type, least) ? terms->flushed : allowance;
    return {exact.low - slack, exact.high + slack, exact.may_be_nan};
  }

  bool NeverRounds(const Literal& want, const Place& place) override {
    if (!IsFloatingPointType(want.element_type()) || algorithm_) return false;
    const std::optional<Terms> terms = sizes_.At(place);
    return terms && std::isfinite(terms->magnitude) && !sizes_.has_infinities() &&
           IsOrderProof(*terms, want.element_type());
  }

  bool RoundsOnce(const Literal& want, const Place& place) override {
    if (!IsFloatingPointType(want.element_type())) return false;
    const std::optional<Terms> terms = sizes_.At(place);
    const double exact = RealValue(ComponentAt(want, place.offset));
    if (!terms || terms->flushed != 0 || !std::isfinite(terms->magnitude) || !std::isfinite(exact)) return false;
    return HasOneValue(*terms, want.element_type(), std::fabs(exact));
  }

  bool AddsOneTermEach() override { return !algorithm_ && sizes_.AreKnown() && sizes_.LargestCount() <= 1; }

  std::shared_ptr<const ProductSizes> Products(const Literal& want) override {
    if (!sizes_.AreKnown()) return nullptr;
    return std::make_shared<const ProductSizes>(
        ProductSizes{.count = sizes_.LargestCount() * Algorithm().products,
                     .roundoff = AccumulatorRoundoff(want.element_type(), Algorithm()),
                     .quantum = algorithm_ || IsScaled() || std::isinf(sizes_.quantum()) ? 0 : sizes_.quantum(),
                     .magnitudes = sizes_.magnitudes(),
                     .may_merge = is_fold_});
  }

  void JudgeWhole(const Literal& want, const Literal& got, Judgement& judgement) override {
    if (judgement.verdict != Verdict::kLegal && judgement.verdict != Verdict::kWeak) return;
    // Roundings to a narrow type depend on each other: the larger a partial sum, the more of each term is lost.
    const bool is_narrow = MayBeNarrow(judged_, JudgedType(judged_.instruction));
    // The known algorithms take operands as they are.
    if (is_narrow && Algorithm().operand_error > 0) return;
    const SumFinding finding = is_narrow ? JudgeNarrowSums(judged_, want, got)
                                         : SumFinding{.fault = FaultOfErrors(want, got, judgement.worst)};
    if (!finding.fault.empty()) {
      judgement.verdict = Verdict::kSuspect;
      judgement.reason = finding.fault;
    } else if (judgement.verdict == Verdict::kWeak && finding.is_explained) {
      RecordAsLegal("reassociation", judgement);  // algorithms that compilers use compute exactly these results
    }
  }

 private:
  std::string FaultOfErrors(const Literal& want, const Literal& got, const ElementReport& worst) {
    std::string together = FaultOfAllErrors(want, got);
    if (!together.empty()) return together;
    const Place place = {worst.tuple_index, worst.offset};
    const std::optional<Terms> terms = algorithm_ ? std::nullopt : sizes_.At(place);
    const bool is_far = terms && worst.share * std::sqrt(terms->count + 2) > kFar;
    return is_far ? FaultOfSum(judged_, place, want, got) : "";
  }

  std::string FaultOfAllErrors(const Literal& want, const Literal& got) {
    if (!LookUnrelated(judged_.operands)) return {};
    SumErrors errors;
    Collect(want, got, {}, errors);
    // The sums of a fold that reads a number more than once share errors.
    if (is_fold_ && errors.terms > sizes_.numbers()) return {};
    // Roundings may have a direction, for instance behind a term that dominates: sums in a line show it. Two such terms
    // that cancel in a line dominate their lanes: the other orders, which take longer, show that.
    std::string fault = errors.Fault({});
    for (const std::span<const SumOrder> orders : {SumOrdersInALine(), AllSumOrders()}) {
      if (fault.empty()) break;
      std::vector<SumErrors> controls;
      for (const Literal& sums : ControlSums(judged_, want, orders)) Collect(want, sums, {}, controls.emplace_back());
      fault = controls.empty() ? "" : errors.Fault(controls);
    }
    return fault;
  }

  // True if no partial sum, in any order, is rounded: all terms are multiples of one power of two, and the sum of their
  // magnitudes is a small enough multiple of it.
  bool IsOrderProof(const Terms& terms, PrimitiveType type) const {
    if (algorithm_ || IsScaled() || terms.flushed != 0 || std::isinf(sizes_.quantum())) return false;
    const double reach = sizes_.quantum() / UnitRoundoff(type);
    // QuickSumsOfProducts rounded the magnitudes of products to f32.
    const double magnitude = is_fold_ || type != F32 ? terms.magnitude : terms.magnitude * (1 + 0x1p-23);
    return sizes_.quantum() >= LeastNormal(type) && magnitude <= std::min(reach, LargestFinite(type));
  }

  bool IsScaled() const { return !is_fold_ && judged_.operands.size() > 2; }
  bool Flushes(PrimitiveType type) const { return judged_.arithmetic.flushes_subnormals && MayBeFlushed(type); }

  // True if the sum is kept in a wider type and rounded once more at the end.
  bool HasWideAccumulator(PrimitiveType type) const {
    return WideAccumulator(type) != type && !judged_.arithmetic.keeps_narrow_sums;
  }

  SumAlgorithm Algorithm() const { return algorithm_.value_or(SumAlgorithm{}); }

  double AccumulatorRoundoff(PrimitiveType type, const SumAlgorithm& algorithm) const {
    const double own = UnitRoundoff(HasWideAccumulator(type) ? WideAccumulator(type) : type);
    return std::max(own, algorithm.accumulator_roundoff);
  }

  // Returns the error bound of a sum whose exact value has the magnitude `exact`.
  double AllowanceOf(const Terms& terms, PrimitiveType type, double exact) const {
    return AllowanceOf(terms, type, exact, Algorithm());
  }
  double AllowanceOf(const Terms& terms, PrimitiveType type, double exact, const SumAlgorithm& algorithm) const {
    // The product of two operands with relative errors e has the relative error 2e + e^2.
    const double e = algorithm.operand_error, n = terms.count * algorithm.products;
    const double roundings = (n + 2) * AccumulatorRoundoff(type, algorithm) * (1 + e) * (1 + e);
    const double sum = (roundings + 2 * e + e * e) * terms.magnitude + UnderflowOf(terms, type) +
                       algorithm.transform_error * terms.tile;
    if (!HasWideAccumulator(type)) return sum;
    return sum + UnitRoundoff(type) * (std::min(std::fabs(exact), terms.magnitude) + sum) + SmallestSubnormal(type);
  }

  // Returns the error by underflow: each product, each partial sum and the result may be flushed, and products and the
  // result underflow gradually. Products of less exact operands may have the result's type.
  double UnderflowOf(const Terms& terms, PrimitiveType type) const {
    if (terms.magnitude == 0 && terms.flushed == 0) return 0;  // every product is zero, in f64 too
    const bool is_wide = HasWideAccumulator(type) && Algorithm().operand_error == 0;
    const PrimitiveType inner = is_wide ? WideAccumulator(type) : type;
    const double n = terms.count * Algorithm().products, factor = Flushes(inner) ? 2 * n : n;
    return terms.flushed + n * sizes_.ScaledUnderflow() + factor * LostBelow(inner) + LostBelow(type);
  }
  double LostBelow(PrimitiveType type) const { return assay::LostBelow(judged_, type); }

  // True for products of complex numbers of which one is not finite: a multiplication may recover infinities.
  bool IsOpenComplex(const Literal& want, const Place& place) const {
    return !is_fold_ && sizes_.has_infinities() && IsComplexType(want.element_type()) &&
           !IsFiniteElement(want, place.offset);
  }

  ElementVerdict JudgePart(const Terms& terms, RealElement a, RealElement b, std::optional<double> exact) const {
    constexpr ElementVerdict kLegal = {Verdict::kLegal, "reassociation"};
    if (a.bits == b.bits || (IsNan(a) && IsNan(b)) || (IsZero(a) && IsZero(b))) return kLegal;
    if (!std::isfinite(terms.magnitude)) return {Verdict::kWeak, "the magnitudes of the terms are beyond f64"};
    const double value = RealValue(b), wanted = exact && std::isfinite(*exact) ? *exact : RealValue(a);
    const double allowance = AllowanceOf(terms, a.type, wanted), largest = LargestFinite(a.type);
    if (IsNan(b) && !FloatFormatOf(a.type).has_zero && MayVanish(terms)) return kLegal;
    const std::string_view fault = FaultOfOtherValues(terms, a.type, wanted);
    if (!fault.empty()) return {Verdict::kFail, fault, INFINITY};
    // A partial sum beyond the largest finite number is an infinity, and the sum of two of different signs is NaN. A
    // format without infinities has NaN in their place.
    const bool may_overflow = terms.magnitude + allowance >= largest;
    const FloatFormat& format = FloatFormatOf(a.type);
    if (may_overflow && !format.has_infinity && format.nan == NanEncoding::kNone) {
      return {Verdict::kWeak, "partial sums may stop at the largest number"};
    }
    if (sizes_.has_infinities() && !std::isfinite(wanted)) {
      if (IsNan(b) && may_overflow) return kLegal;
      return {Verdict::kFail, "a sum with infinities or NaN has one value", INFINITY};
    }
    if (!std::isfinite(value) || !std::isfinite(wanted)) {
      const bool is_overflow = !IsNan(b) || !format.has_infinity;
      if (may_overflow && (is_overflow || terms.magnitude >= largest)) return kLegal;
      return {Verdict::kFail, IsNan(b) ? "NaN without an invalid operation" : "outside the bound of a sum in any order",
              INFINITY};
    }
    // A flushed sum is a zero of either sign, like an exact zero: a sum that starts from +0 adds it to -0.
    if (IsZero(b) && Flushes(a.type) && std::fabs(wanted) < LeastNormal(a.type)) return {Verdict::kLegal, "flush"};
    const double share = std::fabs(wanted - value) / allowance;
    if (std::copysign(1.0, wanted) * value < LeastOfOneSign(terms, wanted, a.type)) {
      return {Verdict::kFail, "a sum of terms of one sign is no smaller than their mean", share};
    }
    if (IsOneAddition(terms, a.type)) return {Verdict::kFail, kOneAddition, share};
    if (share > 1) return {Verdict::kFail, "outside the bound of a sum in any order", share};
    if (allowance >= std::max(terms.magnitude, terms.tile)) return {Verdict::kWeak, WideBound(a.type), share};
    const bool is_any_order =
        precision_ == nullptr || std::fabs(wanted - value) <= AllowanceOf(terms, a.type, wanted, SumAlgorithm{});
    return {Verdict::kLegal, is_any_order ? "reassociation" : precision_->algorithm.name, share};
  }

  // Returns the reason why values other than the exact one, rounded once, are FAIL; empty if they may be lawful.
  std::string_view FaultOfOtherValues(const Terms& terms, PrimitiveType type, double exact) const {
    if (!std::isfinite(exact)) return "";
    if (IsOneTerm(terms, type)) return "one term is the sum";
    if (IsOrderProof(terms, type)) return "no addition of this sum rounds, in any order";
    return IsOneProduct(terms, type, exact) ? "one product has one rounding" : "";
  }

  // Returns the reason why one finite value is right, unless it is flushed; empty if there may be others.
  std::string_view ReasonOfOneValue(const Terms& terms, PrimitiveType type, double exact) const {
    const std::string_view fault = FaultOfOtherValues(terms, type, exact);
    const bool is_finite = terms.magnitude + AllowanceOf(terms, type, exact) < LargestFinite(type);
    return fault.empty() && is_finite && IsOneAddition(terms, type) ? kOneAddition : fault;
  }

  // True if all products may underflow to zero in the accumulator, or be flushed. f8e8m0fnu has no zero, so its sum is
  // then NaN. BF16 is the type with the smallest range that holds its numbers; 2^-127 is subnormal in BF16.
  bool MayVanish(const Terms& terms) const {
    if (judged_.arithmetic.flushes_subnormals) return terms.magnitude < terms.count * LeastNormal(BF16);
    return terms.magnitude <= terms.count * SmallestSubnormal(BF16) / 2;
  }

  // Returns a lower bound of the magnitude of a sum of terms of one sign; -infinity for terms of both signs. Rounding
  // to nearest is monotone, so the sum is no smaller than its largest term, which is not known here, and so no smaller
  // than their mean. Products and the result are rounded.
  double LeastOfOneSign(const Terms& terms, double exact, PrimitiveType type) const {
    if (algorithm_ || std::fabs(exact) < terms.magnitude * (1 - kNegligible * UnitRoundoff(type))) return -INFINITY;
    return terms.magnitude / terms.count * (1 - 3 * UnitRoundoff(type)) - UnderflowOf(terms, type);
  }

  // Returns the reason for WEAK. Names a profile that decides the sum, if there is one.
  std::string_view WideBound(PrimitiveType type) const {
    return MayBeNarrow(judged_, type) ? kNarrowBound : "the bound of the sum is as large as its terms";
  }

  // True if the sum is one addition, one term or one product, whose magnitude is `least` or more.
  bool HasOneValue(const Terms& terms, PrimitiveType type, double least) const {
    return IsOneAddition(terms, type) || IsOneTerm(terms, type) || IsOneProduct(terms, type, least);
  }

  // True for the sum of one number, as of a group of one device.
  bool IsOneTerm(const Terms& terms, PrimitiveType type) const {
    return is_fold_ && terms.count <= 1 && type == ComplexComponentType(TypeOfOperand(0));
  }

  // True for one product of two numbers of the result's type. The product is exact in every wider accumulator, unless
  // it underflows there.
  bool IsOneProduct(const Terms& terms, PrimitiveType type, double exact) const {
    return !is_fold_ && !algorithm_ && terms.count <= 1 && terms.flushed == 0 && judged_.operands.size() == 2 &&
           TypeOfOperand(0) == type && TypeOfOperand(1) == type && FloatFormatOf(type).bits() >= 16 &&
           std::fabs(exact) >= LeastNormal(type);
  }

  // True for two terms that are not products. Their sum is rounded to the same number in either order, also in a wider
  // accumulator if that has twice the bits and two more (Figueroa 1995). bf16 is too narrow for some 8-bit formats.
  bool IsOneAddition(const Terms& terms, PrimitiveType type) const {
    const FloatFormat& format = FloatFormatOf(type);
    const bool is_rounded_once = format.bits() >= 16 || 2 * format.precision() + 2 <= FloatFormatOf(BF16).precision();
    return is_rounded_once && is_fold_ && terms.count <= 2 && type == TypeOfOperand(0);
  }

  // The judged operands of an open set are f64.
  PrimitiveType TypeOfOperand(int k) const { return judged_.instruction.operand(k).shape.element_type(); }

  void Collect(const Literal& want, const Literal& got, Place place, SumErrors& errors) {
    if (want.shape().IsTuple()) {
      for (std::size_t i = 0; i < want.elements().size(); ++i) {
        Place part = place;
        part.tuple_index.push_back(static_cast<std::int64_t>(i));
        Collect(want.elements()[i], got.elements()[i], std::move(part), errors);
      }
      return;
    }
    // The errors of rounded operands have the same direction wherever the operands are used.
    if (!IsFloatingPointType(want.element_type()) || algorithm_) return;
    const std::int64_t step = want.element_count() / kMostSumsTogether | 1;
    for (place.offset = 0; place.offset < want.element_count(); place.offset += step) {
      const std::optional<Terms> at = sizes_.At(place);
      if (!at) return;
      errors.terms += static_cast<double>(step) * (at->count - sizes_.starts());
      const double exact = NumberAt(want, place.offset), error = NumberAt(got, place.offset) - exact;
      const double allowance = AllowanceOf(*at, want.element_type(), exact);
      if (!std::isfinite(error) || UnderflowOf(*at, want.element_type()) > kNegligible * allowance) continue;
      // With a wide accumulator, only the last rounding matters.
      const bool is_wide = HasWideAccumulator(want.element_type());
      errors.of_bound.Add({exact, at->magnitude, error / allowance, is_wide ? 1 : at->count + 2});
      if (!is_wide) continue;
      const double before =
          std::sqrt(at->count + 2) * AccumulatorRoundoff(want.element_type(), Algorithm()) * at->magnitude;
      const double last = UnitInTheLastPlace(want.element_type(), exact) / 2 + before;
      errors.of_last_rounding.Add({exact, at->magnitude, std::copysign(1.0, exact) * error / last, 1});
    }
  }

  const JudgedInstruction& judged_;
  std::optional<SumAlgorithm> algorithm_;
  const Profile::Precision* const precision_;  // that algorithm_ comes from
  ExactResult exact_;
  const bool is_fold_;  // its terms are elements of the operands, not products
  TermSizes sizes_;
};

}  // namespace

const Rule rule_sum = {
    .name = "sum",
    .takes_an_order = true,
    .make = MakeJudge<SumRule>,
    .disturb = DisturbByTerms,
    .noise = "order of terms",
};

}  // namespace assay
