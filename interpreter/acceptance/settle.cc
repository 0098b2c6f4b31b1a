#include "interpreter/acceptance/settle.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/operand_facts.h"
#include "interpreter/acceptance/reals.h"
#include "interpreter/acceptance/widen.h"
#include "interpreter/hlo/op.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

constexpr std::int64_t kElementsPerPiece = 1 << 13;

class Settler {
 public:
  Settler(const HloInstruction& instruction, std::span<const ValueSet> operands, const RuleChoice& rule,
          const Profile& profile, SetEvaluation& evaluation)
      : instruction_(instruction), operands_(operands), evaluation_(evaluation) {
    is_exact_ = rule.acceptance == Acceptance::kExact;
    judged_ = std::make_unique<JudgedInstruction>(JudgedInstruction{instruction, {}, profile, rule});
    const bool has_bound = !is_exact_ || judged_->Allows(Freedom::kNotFinite) || judged_->Allows(Freedom::kRegrouping);
    for (const ValueSet& operand : operands) literals_.push_back(has_bound ? ReachOf(operand) : ValueOf(operand));
    is_sum_ = rule.acceptance == Acceptance::kSum;
    if (is_sum_) std::ranges::transform(operands, std::back_inserter(terms_), FiniteReachOf);
    judged_->operands = is_sum_ ? terms_ : literals_;
    rule_ = MakeRule(*judged_);
    facts_ = std::make_unique<OperandFacts>(operands, literals_);
    may_flush_beside_infinity_ = is_sum_ && judged_->Allows(Freedom::kFlush) && facts_->HaveSubnormalsAndInfinities();
    may_regroup_ = judged_->Allows(Freedom::kRegrouping);
    is_not_finite_free_ = judged_->Allows(Freedom::kNotFinite);
    rounds_ = Rounds();
  }

  ValueSet Leaf(const Literal& value, const Place& place, std::shared_ptr<const OpenElements> image) {
    ValueSet set;
    set.value = value;
    InheritFreedoms(set);
    if (!value.shape().IsArray()) return set;
    const Literal numbers = NumbersOf(value);
    own_ = reinterpret_cast<const double*>(numbers.data());
    const PrimitiveType type = value.element_type();
    const bool is_product = instruction_.op->acceptance.folded == Acceptance::kProduct;
    const bool may_be_product = MayContract(type) && is_product;
    may_be_product_ = may_be_product;
    flushes_ = Flushes(type);
    has_excess_ = HasExcess(type);
    factors_ = is_product ? facts_->FactorCount() : 1;
    const bool may_flush = flushes_ && HasSubnormals(value, image.get());
    const bool either_zero = judged_->Allows(Freedom::kEitherZero) && IsReal(type);
    // Of a fold any of its terms may be the zero that was meant.
    const bool is_elementwise = instruction_.op->evaluation.kernel != nullptr;
    const bool zero_sign = judged_->Allows(Freedom::kZeroSign) && IsReal(type);
    const bool may_reassociate = AddsTerms(set, type);
    const bool not_finite = is_not_finite_free_ && (!IsFinite(value) || !facts_->AreFinite());
    is_kept_wider_ = image && !rounds_ && MayBeWider(type);
    if (is_exact_ && !may_be_product && !has_excess_ && !is_kept_wider_ && !may_flush && !either_zero &&
        !may_reassociate && !not_finite && !zero_sign && (!image || (IsReal(type) && !rounds_))) {
      set.open = std::move(image);  // moved as it was, or nothing
      return set;
    }
    // Nothing is known of what is computed of infinities; and little in a format without zeros.
    const bool is_scale = IsFloatingPointType(type) && !FloatFormatOf(type).has_zero && Rounds();
    if (not_finite || is_scale) {
      ValueSet unknown = Anything(value, &instruction_);
      unknown.freedoms = set.freedoms | (not_finite ? BitOf(Freedom::kNotFinite) : kApproximationBit);
      return unknown;
    }
    const bool needs_exact = has_excess_ || may_be_product || HasFarResults(value);
    const std::optional<Literal> exact = needs_exact ? ExactReals(value, place) : std::nullopt;
    const int components = ComponentsOf(type);
    const std::int64_t count = value.element_count();
    std::vector<Reals> lawful(count * components), unrounded(may_be_product ? count * components : 0);
    std::vector<std::uint8_t> is_set(count * components);
    std::atomic<std::uint32_t> freedoms = set.freedoms;
    const auto settle = [&](std::int64_t begin, std::int64_t end) {
      std::uint32_t used = 0;
      Place at = place;
      for (at.offset = begin; at.offset < end; ++at.offset) {
        const bool is_open = image && IsOpenAt(*image, at.offset);
        for (int c = 0; c < components; ++c) {
          const std::int64_t i = at.offset * components + c;
          const Element element = {at, c, i, is_open, is_open ? Of(*image, i, at.offset) : Reals()};
          Reals as_term;
          lawful[i] = Lawful(element, value, exact, set, used, as_term);
          const Reals own = Reals::Point(own_[i]);
          const bool is_zero = lawful[i].low == 0 && lawful[i].high == 0 && !lawful[i].may_be_nan;
          const bool has_choice = is_zero && (zero_sign || (is_sum_ && IsReal(type)) ||
                                              (either_zero && (!is_elementwise || facts_->HaveOtherZero(value, i))));
          const bool has_sign = own.low != 0 || !IsReal(type);
          is_set[i] = has_choice || !Same(lawful[i], own) || (is_open && !has_sign);
          if (may_be_product) unrounded[i] = Hull(as_term, lawful[i]);
        }
      }
      freedoms |= used;
    };
    // With the first element rules find out what they need to know of all.
    if (count > 0) settle(0, 1);
    ParallelFor(count, kElementsPerPiece, settle);
    set.freedoms = freedoms;
    ElementWriter writer(numbers);
    std::optional<ElementWriter> terms;
    if (may_be_product) terms.emplace(numbers);
    for (std::int64_t i = 0; i < count * components; ++i) {
      if (is_set[i] != 0) writer.Set(i, lawful[i]);
      if (may_be_product && !Same(unrounded[i], lawful[i])) terms->Set(i, unrounded[i]);
    }
    set.open = writer.Take();
    if (terms && terms->HasOpen()) {
      if (set.open) MergeInto(*terms, *set.open, value);
      set.as_term = terms->Take();
      set.freedoms |= BitOf(Freedom::kContraction);
    }
    if (may_be_product) set.factor_count = facts_->FactorCount();
    return set;
  }

  // What does nothing to these numbers may be left out: a product by 1, the larger of a number and itself.
  bool GivesAnOperand(const Literal& value) const {
    if (instruction_.op->evaluation.kernel == nullptr || instruction_.op->acceptance.image == nullptr) return false;
    // The root of 1 and half of infinity are what they were, but by chance.
    if (operands_.size() < 2 || !IsFinite(value)) return false;
    return std::ranges::any_of(operands_, [&](const ValueSet& operand) {
      return operand.as_term != nullptr && ShapeUtil::Compatible(operand.value.shape(), value.shape()) &&
             operand.value.BitwiseEqual(value);
    });
  }

  // A product that has not been rounded goes where numbers go.
  void KeepTerms(ValueSet& set) {
    if (std::ranges::none_of(operands_, [](const ValueSet& operand) { return operand.as_term != nullptr; })) return;
    if (!set.value.shape().IsArray() || (!assay::KeepsTerms(instruction_) && !GivesAnOperand(set.value))) return;
    std::vector<ValueSet> as_terms(operands_.begin(), operands_.end());
    for (ValueSet& operand : as_terms) {
      if (operand.as_term) operand.open = operand.as_term;
    }
    set.as_term = instruction_.op->acceptance.image(instruction_, as_terms, set.value, evaluation_);
    if (assay::KeepsTerms(instruction_)) return;
    // Or it is not left out, and errs as it may.
    ValueSet own, left_out;
    own.value = left_out.value = set.value;
    own.open = set.open;
    left_out.open = set.as_term;
    set.as_term = Hull(own, left_out, nullptr).open;
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
  bool MayBeWider(PrimitiveType type) const {
    return IsFloatingPointType(type) && BitWidth(type) < 32 && judged_->Allows(Freedom::kExcessPrecision);
  }
  bool HasExcess(PrimitiveType type) const { return MayBeWider(type) && Rounds(); }

  bool Rounds() const {
    const OpAcceptance& acceptance = instruction_.op->acceptance;
    return acceptance.rule != Acceptance::kExact || acceptance.folded != Acceptance::kExact || acceptance.rounds;
  }

  bool Flushes(PrimitiveType type) const {
    if (!IsReal(type) || !judged_->Allows(Freedom::kFlush)) return false;
    if (!MayBeFlushed(ComplexComponentType(type))) return false;
    return instruction_.op->evaluation.kernel != nullptr || !is_exact_;
  }

  // Of a function: numbers that say little of what they were before they were rounded.
  bool HasFarResults(const Literal& value) const {
    if (judged_->rule.acceptance != Acceptance::kUlp || !IsFloatingPointType(value.element_type())) return false;
    const double largest = LargestFinite(value.element_type()), least = LeastNormal(value.element_type());
    return std::any_of(own_, own_ + value.element_count(),
                       [=](double x) { return !(std::fabs(x) <= largest) || std::fabs(x) <= least; });
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
  Reals Lawful(const Element& element, const Literal& value, const std::optional<Literal>& exact, const ValueSet& set,
               std::uint32_t& freedoms, Reals& unrounded) {
    const PrimitiveType type = value.element_type();
    const Reals own = Reals::Point(own_[element.component]);
    if (!IsReal(type)) {
      const Reals integers = element.is_open ? element.image : own;
      return is_exact_ ? integers : rule_->Widen(integers, value, element.place, element.part);
    }
    const PrimitiveType part_type = ComplexComponentType(type);
    const FloatFormat& format = FloatFormatOf(part_type);
    Reals real = own;
    bool is_overflow = false;
    if (element.is_open) {
      real = element.image;
    } else if (is_sum_ && rule_->NeverRounds(value, element.place)) {
      real = own;
    } else if (may_be_product_ && part_type == F64 && std::isfinite(own.low)) {
      real = facts_->ProductBeforeRounding(element.component, own.low);
    } else if (may_be_product_ && part_type == F64 && std::isinf(own.low) &&
               !facts_->HaveInfinity(element.place.offset)) {
      real = BeforeRounding(part_type, own.low);  // a fused addition may bring it back
    } else if (exact && !own.IsEmpty()) {
      real = Reals::Point(reinterpret_cast<const double*>(exact->data())[element.component]);
      if (real.IsEmpty()) real = own;
      // What rounds on the way to its result is not the same in f64, nor is the bound of a sum.
      if (!Rounded(format, real).Contains(own.low)) {
        real = is_exact_ ? own : is_sum_ ? Reals() : Hull(real, BeforeRounding(part_type, own.low));
      }
      if (!is_exact_) real = Outward(real);
    } else if (exact && OverflowsToNan(format, reinterpret_cast<const double*>(exact->data())[element.component])) {
      real = Outward(Reals::Point(reinterpret_cast<const double*>(exact->data())[element.component]));
      is_overflow = true;
    } else if (!is_exact_ && !own.IsEmpty() && !IsTrueInfinity(own, element)) {
      real = BeforeRounding(part_type, own.low);
    } else if (own.IsEmpty()) {
      real = own;
    }
    Reals wide = is_exact_ ? real : rule_->Widen(real, value, element.place, element.part);
    if (is_overflow) wide = AroundOverflow(real, wide);
    if (!wide.IsEmpty() && !wide.may_be_nan && may_flush_beside_infinity_) wide.may_be_nan = true;
    if (!is_exact_)
      freedoms |= judged_->rule.acceptance == Acceptance::kUlp ? kApproximationBit : BitOf(Freedom::kReassociation);
    if (set.term_count > 2 && set.terms && !wide.IsEmpty()) {
      const double reach = set.terms->values<double>()[element.component];
      const double allowance = (set.term_count + 1) * UnitRoundoff(part_type) * reach;
      wide = {wide.low - allowance, wide.high + allowance, wide.may_be_nan};
      if (reach + allowance >= LargestFinite(part_type)) wide = {};
      freedoms |= BitOf(Freedom::kRegrouping);
    }
    const bool is_regrouped = may_regroup_ && factors_ > 2;
    if (is_regrouped && !wide.IsEmpty()) {
      const double slack = factors_ * UnitRoundoff(part_type);
      wide = {wide.low - slack * std::fabs(wide.low), wide.high + slack * std::fabs(wide.high), wide.may_be_nan};
      freedoms |= BitOf(Freedom::kRegrouping);
    }
    unrounded = wide;
    if (element.is_open && !rounds_) {
      // Moved as it was; a number that was kept wider may be rounded behind it.
      const bool is_wider = is_kept_wider_ && !wide.IsEmpty();
      return Flushed(is_wider ? Hull(wide, Rounded(format, wide)) : wide, part_type, freedoms);
    }
    Reals rounded = part_type == F64 ? wide : Rounded(format, wide);
    const bool is_one = !is_regrouped && !(may_regroup_ && set.term_count > 2);
    if (!element.is_open && is_exact_ && is_one) rounded = own;
    if (has_excess_) {
      // What is kept wider is rounded all the same, to f32 or more: perhaps to the other side of the exact number.
      Reals both = Hull(Hull(rounded, wide), Rounded(FloatFormatOf(F32), wide));
      // An overflow in a format without infinities is a number there.
      const double kept =
          exact && own.IsEmpty() ? reinterpret_cast<const double*>(exact->data())[element.component] : NAN;
      const double roundoff = UnitRoundoff(part_type) * std::fabs(kept);
      if (std::isfinite(kept)) both = Hull(both, {kept - roundoff, kept + roundoff, true});
      // And what was computed so is rounded to its own type in the end: on a tie, to the other side of it. One
      // operation on numbers of the type itself gives the same number either way (Figueroa 1995), and a conversion is
      // one.
      if (element.is_open && !instruction_.op->acceptance.rounds) both = Hull(both, Rounded(format, both));
      if (!Same(both, rounded)) freedoms |= BitOf(Freedom::kExcessPrecision);
      rounded = both;
    }
    const bool is_finite = std::isfinite(rounded.low) && std::isfinite(rounded.high) && !rounded.may_be_nan;
    if (is_not_finite_free_ && !is_finite) {
      freedoms |= BitOf(Freedom::kNotFinite);
      return {};
    }
    return Flushed(rounded, part_type, freedoms);
  }

  // True if the exact value of a function is a number, for which a format without infinities has NaN.
  bool OverflowsToNan(const FloatFormat& format, double exact) const {
    return judged_->rule.acceptance == Acceptance::kUlp && !format.has_infinity && std::isfinite(exact);
  }

  // Rules accept every number beyond the largest one. Where the result is kept wider, it errs as far upwards as
  // downwards.
  static Reals AroundOverflow(const Reals& exact, const Reals& accepted) {
    const double reach = std::isinf(accepted.high) ? exact.low - accepted.low : accepted.high - exact.high;
    return {exact.low - reach, exact.high + reach, true};
  }

  // An infinity that an operand has, not one that stands for a number too large for its type. The rule of a sum knows
  // by its terms.
  bool IsTrueInfinity(const Reals& own, const Element& element) const {
    return std::isinf(own.low) && (is_sum_ || facts_->HaveInfinity(element.place.offset));
  }

  Reals Flushed(const Reals& x, PrimitiveType type, std::uint32_t& freedoms) const {
    if (!flushes_ || x.IsEmpty() || (x.low <= 0 && x.high >= 0)) return x;
    const double least = LeastNormal(type);
    const bool has_positive = x.low <= least && x.high > 0, has_negative = x.high >= -least && x.low < 0;
    Reals result = x;
    if (has_positive && x.low > 0) result.low = 0;
    if (has_negative && x.high < 0) result.high = 0;
    if (result.low != x.low || result.high != x.high) freedoms |= BitOf(Freedom::kFlush);
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
  std::vector<Literal> terms_;  // of a sum
  std::unique_ptr<OperandFacts> facts_;
  std::unique_ptr<JudgedInstruction> judged_;
  std::unique_ptr<AcceptanceRule> rule_;
  bool is_exact_ = true;
  bool is_sum_ = false, may_regroup_ = false, rounds_ = false, is_not_finite_free_ = false;
  // Of the leaf at hand: its numbers, and what may be done with them.
  const double* own_ = nullptr;
  bool may_be_product_ = false, flushes_ = false, has_excess_ = false, is_kept_wider_ = false;
  double factors_ = 1;
  // Of a sum of products: a subnormal number that is flushed gives NaN where its factor is infinite.
  bool may_flush_beside_infinity_ = false;
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

bool KeepsTerms(const HloInstruction& instruction) {
  const OpAcceptance& acceptance = instruction.op->acceptance;
  return acceptance.keeps_terms || (acceptance.gives_operand != nullptr && acceptance.gives_operand(instruction));
}

ValueSet Settle(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                std::shared_ptr<const OpenElements> image, const RuleChoice& rule, const Profile& profile,
                SetEvaluation& evaluation) {
  Settler settler(instruction, operands, rule, profile, evaluation);
  ValueSet set = SettleLeaves(settler, value, {}, image);
  settler.KeepTerms(set);
  return set;
}

}  // namespace assay
