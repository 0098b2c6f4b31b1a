#include "interpreter/acceptance/settle.h"

#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/reals.h"
#include "interpreter/acceptance/widen.h"
#include "interpreter/hlo/op.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

class Settler {
 public:
  Settler(const HloInstruction& instruction, std::span<const ValueSet> operands, const RuleChoice& rule,
          const Profile& profile, SetEvaluation& evaluation)
      : instruction_(instruction), operands_(operands), evaluation_(evaluation) {
    for (const ValueSet& operand : operands) literals_.push_back(ReachOf(operand));
    judged_ = std::make_unique<JudgedInstruction>(JudgedInstruction{instruction, literals_, profile, rule});
    rule_ = MakeRule(*judged_);
    is_exact_ = rule.acceptance == Acceptance::kExact;
  }

  ValueSet Leaf(const Literal& value, const Place& place, std::shared_ptr<const OpenElements> image) {
    ValueSet set;
    set.value = value;
    InheritFreedoms(set);
    if (!value.shape().IsArray()) return set;
    const PrimitiveType type = value.element_type();
    const bool may_be_product = MayContract(type) && instruction_.op->acceptance.folded == Acceptance::kProduct;
    may_be_product_ = may_be_product;
    const bool may_keep_excess = HasExcess(type);
    const bool may_flush = Flushes(type) && HasSubnormals(value, image.get());
    const bool either_zero = judged_->Allows(Freedom::kEitherZero) && IsReal(type);
    const bool zero_sign = judged_->Allows(Freedom::kZeroSign) && IsReal(type);
    const bool may_reassociate = AddsTerms(set, type);
    const bool not_finite = judged_->Allows(Freedom::kNotFinite) && HasNotFinite(value);
    if (is_exact_ && !image && !may_be_product && !may_keep_excess && !may_flush && !either_zero && !may_reassociate &&
        !not_finite && !zero_sign) {
      return set;
    }
    // Nothing is known of what is computed of infinities; and little in a format without zeros.
    const bool is_scale = IsFloatingPointType(type) && !FloatFormatOf(type).has_zero && Rounds();
    if (not_finite || is_scale) {
      ValueSet unknown = Anything(value, &instruction_);
      unknown.freedoms = set.freedoms | (not_finite ? BitOf(Freedom::kNotFinite) : kApproximationBit);
      return unknown;
    }
    const bool needs_exact = may_keep_excess || may_be_product || HasFarResults(value);
    const std::optional<Literal> exact = needs_exact ? ExactReals(value, place) : std::nullopt;
    ElementWriter writer(value), terms(value);
    const int components = ComponentsOf(type);
    Place at = place;
    for (at.offset = 0; at.offset < value.element_count(); ++at.offset) {
      const bool is_open = image && IsOpenAt(*image, at.offset);
      for (int c = 0; c < components; ++c) {
        const std::int64_t i = at.offset * components + c;
        const Element element = {at, c, i, is_open, is_open ? Of(*image, i, at.offset) : Reals()};
        Reals unrounded;
        const Reals lawful = Lawful(element, value, exact, set, unrounded);
        const Reals own = Reals::Point(NumberAt(value, i));
        const bool is_zero = lawful.low == 0 && lawful.high == 0 && !lawful.may_be_nan;
        const bool is_sum = judged_->rule.acceptance == Acceptance::kSum && IsReal(type);
        const bool has_choice = is_zero && (zero_sign || is_sum || (either_zero && HasOtherZero(value, i)));
        const bool has_sign = own.low != 0 || !IsReal(type);
        const bool is_decided = !has_choice && Same(lawful, own) && (!is_open || has_sign);
        if (!is_decided) writer.Set(i, lawful);
        if (may_be_product && !Same(Hull(unrounded, lawful), lawful)) terms.Set(i, Hull(unrounded, lawful));
      }
    }
    set.open = writer.Take();
    if (may_be_product && terms.HasOpen()) {
      if (set.open) MergeInto(terms, *set.open, value);
      set.as_term = terms.Take();
      set.freedoms |= BitOf(Freedom::kContraction);
    }
    if (may_be_product) set.factor_count = FactorCount();
    return set;
  }

  // A product that has not been rounded goes where numbers go.
  void KeepTerms(ValueSet& set) {
    if (!instruction_.op->acceptance.keeps_terms || !set.value.shape().IsArray()) return;
    if (std::ranges::none_of(operands_, [](const ValueSet& operand) { return operand.as_term != nullptr; })) return;
    std::vector<ValueSet> as_terms(operands_.begin(), operands_.end());
    for (ValueSet& operand : as_terms) {
      if (operand.as_term) operand.open = operand.as_term;
    }
    set.as_term = instruction_.op->acceptance.image(instruction_, as_terms, set.value, evaluation_);
  }

 private:
  struct Element {
    const Place& place;
    int part;
    std::int64_t component;
    bool is_open;
    Reals image;
  };

  static bool IsOpenAt(const OpenElements& open, std::int64_t element) {
    return open.state.values<std::uint8_t>()[element] != 0;
  }

  static Reals Of(const OpenElements& open, std::int64_t component, std::int64_t element) {
    return {reinterpret_cast<const double*>(open.low.data())[component],
            reinterpret_cast<const double*>(open.high.data())[component],
            (open.state.values<std::uint8_t>()[element] & OpenElements::kMayBeNan) != 0};
  }

  static bool Same(const Reals& a, const Reals& b) {
    if (a.IsEmpty() || b.IsEmpty()) return a.IsEmpty() && b.IsEmpty();
    return a.low == b.low && a.high == b.high && a.may_be_nan == b.may_be_nan;
  }

  void InheritFreedoms(ValueSet& set) const {
    for (const ValueSet& operand : operands_) Inherit(operand, set);
  }
  static void Inherit(const ValueSet& from, ValueSet& set) {
    if (from.open) set.freedoms |= from.freedoms;
    if (from.as_term) set.freedoms |= from.freedoms;
    if (from.open && from.widest != nullptr && set.widest == nullptr) set.widest = from.widest;
    for (const ValueSet& element : from.elements) Inherit(element, set);
  }

  bool MayContract(PrimitiveType type) const {
    return IsFloatingPointType(type) && judged_->Allows(Freedom::kContraction);
  }

  // Narrow numbers may be kept wider between instructions that round.
  bool HasExcess(PrimitiveType type) const {
    if (!IsFloatingPointType(type) || BitWidth(type) >= 32 || !judged_->Allows(Freedom::kExcessPrecision)) return false;
    return Rounds();
  }

  bool Rounds() const {
    const OpAcceptance& acceptance = instruction_.op->acceptance;
    return acceptance.rule != Acceptance::kExact || acceptance.folded != Acceptance::kExact || acceptance.rounds;
  }

  bool Flushes(PrimitiveType type) const {
    if (!IsReal(type) || !judged_->Allows(Freedom::kFlush)) return false;
    if (!MayBeFlushed(ComplexComponentType(type))) return false;
    return instruction_.op->evaluation.kernel != nullptr || !is_exact_;
  }

  // An infinity or NaN in the result or an operand, or what may be one.
  bool HasNotFinite(const Literal& value) const {
    const auto has = [](const Literal& array) {
      if (!array.shape().IsArray() || !IsReal(array.element_type())) return false;
      for (std::int64_t i = 0; i < array.element_count(); ++i) {
        if (!IsFiniteElement(array, i)) return true;
      }
      return false;
    };
    return has(value) || std::ranges::any_of(literals_, has);
  }

  // Of a function: numbers that say little of what they were before they were rounded.
  bool HasFarResults(const Literal& value) const {
    if (judged_->rule.acceptance != Acceptance::kUlp || !IsFloatingPointType(value.element_type())) return false;
    for (std::int64_t i = 0; i < value.element_count(); ++i) {
      const double magnitude = std::fabs(RealValue(ComponentAt(value, i)));
      if (!(magnitude <= LargestFinite(value.element_type())) || magnitude <= LeastNormal(value.element_type()))
        return true;
    }
    return false;
  }

  // The terms of nested additions, if there are more than two.
  bool AddsTerms(ValueSet& set, PrimitiveType type) {
    const bool adds = instruction_.op->acceptance.adds_terms && IsFloatingPointType(type);
    if (!adds || !judged_->Allows(Freedom::kRegrouping)) return false;
    Literal total(ShapeUtil::ChangeElementType(set.value.shape(), F64));
    auto sums = total.mutable_values<double>();
    set.term_count = 0;
    for (std::size_t k = 0; k < operands_.size(); ++k) {
      const ValueSet& operand = operands_[k];
      set.term_count += operand.term_count;
      const Literal reach = operand.terms ? *operand.terms : NumbersOf(literals_[k]);
      const bool is_single = reach.element_count() == 1;
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += std::fabs(reach.values<double>()[is_single ? 0 : i]);
    }
    set.terms = std::make_shared<const Literal>(std::move(total));
    return set.term_count > 2;
  }

  // Of a sum of products: a subnormal number that is flushed gives NaN where its factor is infinite.
  bool MayFlushBesideInfinity() {
    if (judged_->rule.acceptance != Acceptance::kSum || !judged_->Allows(Freedom::kFlush)) return false;
    if (!flushes_beside_infinity_) {
      bool has_subnormal = false, has_infinity = false;
      for (std::size_t k = 0; k < operands_.size(); ++k) {
        if (operands_[k].is_tuple || !IsReal(operands_[k].value.element_type())) continue;
        const double least = LeastNormal(ComplexComponentType(operands_[k].value.element_type()));
        const Literal numbers = NumbersOf(literals_[k]);
        const std::int64_t count = numbers.element_count() * ComponentsOf(numbers.element_type());
        for (std::int64_t i = 0; i < count; ++i) {
          const double x = std::fabs(RealValue(ComponentAt(numbers, i)));
          has_subnormal |= x != 0 && x < least;
          has_infinity |= std::isinf(x);
        }
      }
      flushes_beside_infinity_ = has_subnormal && has_infinity;
    }
    return *flushes_beside_infinity_;
  }

  double FactorCount() const {
    double count = 0;
    for (const ValueSet& operand : operands_) count += operand.factor_count;
    return count;
  }

  // An operand of an element-wise op has the other zero at this place.
  bool HasOtherZero(const Literal& value, std::int64_t component) const {
    const bool sign = HasSign(ComponentAt(value, component));
    for (std::size_t k = 0; k < operands_.size(); ++k) {
      const ValueSet& operand = operands_[k];
      if (!operand.value.shape().IsArray() || !IsReal(operand.value.element_type())) continue;
      const std::int64_t count = operand.value.element_count() * ComponentsOf(operand.value.element_type());
      const std::int64_t at = operand.value.element_count() == 1 ? 0 : component;
      if (at >= count) return true;  // not element-wise: any of them may be meant
      const RealElement element = ComponentAt(operand.value, at);
      const bool is_open = operand.open && IsOpenAt(*operand.open, at / ComponentsOf(operand.value.element_type()));
      const bool is_other = IsZero(element) && HasSign(element) != sign;
      if (is_open ? Of(*operand.open, at, at / ComponentsOf(operand.value.element_type())).ContainsZero() : is_other) {
        return true;
      }
    }
    return false;
  }

  // An element-wise result that is infinite because an operand is, not because it overflows.
  bool HasInfiniteOperand(std::int64_t offset) const {
    return std::ranges::any_of(literals_, [&](const Literal& operand) {
      if (!operand.shape().IsArray() || !IsFloatingPointType(operand.element_type())) return false;
      const std::int64_t at = operand.element_count() == 1 ? 0 : offset;
      return at < operand.element_count() && std::isinf(RealValue(ComponentAt(operand, at)));
    });
  }

  // Between which numbers a product of f64 lies.
  Reals ProductBeforeRounding(std::int64_t i, double product) const {
    const auto at = [&](const Literal& operand) {
      return RealValue(ComponentAt(operand, operand.element_count() == 1 ? 0 : i));
    };
    const double error = std::fma(at(literals_[0]), at(literals_[1]), -product);
    if (error == 0 || !std::isfinite(error)) return Reals::Point(product);
    const double other = std::nextafter(product, error > 0 ? INFINITY : -INFINITY);
    return {std::min(product, other), std::max(product, other), false};
  }

  // Decided results before they were rounded, as f64.
  std::optional<Literal> ExactReals(const Literal& value, const Place& place) {
    for (const ValueSet& operand : operands_) {
      if (operand.is_tuple || !operand.value.shape().IsArray()) return std::nullopt;
    }
    if (value.element_type() == F64) return std::nullopt;
    std::vector<Literal> numbers;
    for (const ValueSet& operand : operands_) {
      const bool is_real = IsReal(operand.value.element_type());
      numbers.push_back(is_real ? NumbersOf(operand.value) : operand.value);
    }
    const std::optional<Literal> exact = evaluation_.EvaluateInF64(instruction_, std::move(numbers));
    if (!exact) return std::nullopt;
    return place.LeafOf(*exact);
  }

  // The lawful results of one component; `unrounded` is what it may be as a term of a sum.
  Reals Lawful(const Element& element, const Literal& value, const std::optional<Literal>& exact, ValueSet& set,
               Reals& unrounded) {
    const PrimitiveType type = value.element_type();
    const Reals own = Reals::Point(NumberAt(value, element.component));
    if (!IsReal(type)) {
      const Reals integers = element.is_open ? element.image : own;
      return is_exact_ ? integers : rule_->Widen(integers, value, element.place, element.part);
    }
    const PrimitiveType part_type = ComplexComponentType(type);
    const FloatFormat& format = FloatFormatOf(part_type);
    Reals real = own;
    if (element.is_open) {
      real = element.image;
    } else if (judged_->rule.acceptance == Acceptance::kSum && rule_->NeverRounds(value, element.place)) {
      real = own;
    } else if (may_be_product_ && part_type == F64 && std::isfinite(own.low)) {
      real = ProductBeforeRounding(element.component, own.low);
    } else if (exact && !own.IsEmpty()) {
      real = Reals::Point(reinterpret_cast<const double*>(exact->data())[element.component]);
      if (real.IsEmpty()) real = own;
      // What rounds on the way to its result is not the same in f64, nor is the bound of a sum.
      const bool is_sum = judged_->rule.acceptance == Acceptance::kSum;
      if (!Rounded(format, real).Contains(own.low)) {
        real = is_exact_ ? own : is_sum ? Reals() : Hull(real, BeforeRounding(part_type, own.low));
      }
      if (!is_exact_) real = Outward(real);
    } else if (!is_exact_ && !own.IsEmpty() && !(std::isinf(own.low) && HasInfiniteOperand(element.place.offset))) {
      real = BeforeRounding(part_type, own.low);
    } else if (own.IsEmpty()) {
      real = own;
    }
    Reals wide = is_exact_ ? real : rule_->Widen(real, value, element.place, element.part);
    if (!wide.IsEmpty() && !wide.may_be_nan && MayFlushBesideInfinity()) wide.may_be_nan = true;
    if (!is_exact_)
      set.freedoms |= judged_->rule.acceptance == Acceptance::kUlp ? kApproximationBit : BitOf(Freedom::kReassociation);
    if (set.term_count > 2 && set.terms && !wide.IsEmpty()) {
      const double reach = set.terms->values<double>()[element.component];
      const double allowance = (set.term_count + 1) * UnitRoundoff(part_type) * reach;
      wide = {wide.low - allowance, wide.high + allowance, wide.may_be_nan};
      if (reach + allowance >= LargestFinite(part_type)) wide = {};
      set.freedoms |= BitOf(Freedom::kRegrouping);
    }
    const double factors = instruction_.op->acceptance.folded == Acceptance::kProduct ? FactorCount() : 1;
    if (factors > 2 && judged_->Allows(Freedom::kRegrouping) && !wide.IsEmpty()) {
      const double slack = factors * UnitRoundoff(part_type);
      wide = {wide.low - slack * std::fabs(wide.low), wide.high + slack * std::fabs(wide.high), wide.may_be_nan};
      set.freedoms |= BitOf(Freedom::kRegrouping);
    }
    unrounded = wide;
    if (element.is_open && !Rounds()) return Flushed(wide, part_type, set);  // moved as it was
    Reals rounded = part_type == F64 ? wide : Rounded(format, wide);
    const bool is_regrouped = judged_->Allows(Freedom::kRegrouping) && (set.term_count > 2 || factors > 2);
    if (!element.is_open && is_exact_ && !is_regrouped) rounded = own;
    if (HasExcess(part_type)) {
      // What is kept wider is rounded all the same, to f32 or more: perhaps to the other side of the exact number.
      const Reals both = Hull(Hull(rounded, wide), Rounded(FloatFormatOf(F32), wide));
      if (!Same(both, rounded)) set.freedoms |= BitOf(Freedom::kExcessPrecision);
      rounded = both;
    }
    return Flushed(rounded, part_type, set);
  }

  Reals Flushed(const Reals& x, PrimitiveType type, ValueSet& set) const {
    if (!Flushes(type) || x.IsEmpty()) return x;
    const double least = LeastNormal(type);
    const bool has_positive = x.low <= least && x.high > 0, has_negative = x.high >= -least && x.low < 0;
    Reals result = x;
    if (has_positive && x.low > 0) result.low = 0;
    if (has_negative && x.high < 0) result.high = 0;
    if (result.low != x.low || result.high != x.high) set.freedoms |= BitOf(Freedom::kFlush);
    return result;
  }

  static void MergeInto(ElementWriter& writer, const OpenElements& open, const Literal& value) {
    const std::int64_t components = value.element_count();
    for (std::int64_t i = 0; i < components; ++i) {
      if (IsOpenAt(open, i) && !writer.IsSet(i)) writer.Set(i, Of(open, i, i));
    }
  }

  const HloInstruction& instruction_;
  std::span<const ValueSet> operands_;
  SetEvaluation& evaluation_;
  std::vector<Literal> literals_;
  std::unique_ptr<JudgedInstruction> judged_;
  std::unique_ptr<AcceptanceRule> rule_;
  bool is_exact_ = true;
  bool may_be_product_ = false;
  std::optional<bool> flushes_beside_infinity_;
};

ValueSet SettleLeaves(Settler& settler, const Literal& value, const Place& place,
                      const std::shared_ptr<const OpenElements>& image) {
  if (!value.shape().IsTuple()) return settler.Leaf(value, place, image);
  std::vector<ValueSet> elements;
  for (std::size_t i = 0; i < value.elements().size(); ++i) {
    Place part = place;
    part.tuple_index.push_back(static_cast<std::int64_t>(i));
    elements.push_back(SettleLeaves(settler, value.elements()[i], part, nullptr));
  }
  return ValueSet::Tuple(std::move(elements));
}

}  // namespace

ValueSet Settle(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                std::shared_ptr<const OpenElements> image, const RuleChoice& rule, const Profile& profile,
                SetEvaluation& evaluation) {
  Settler settler(instruction, operands, rule, profile, evaluation);
  ValueSet set = SettleLeaves(settler, value, {}, image);
  settler.KeepTerms(set);
  return set;
}

}  // namespace assay
