#include "interpreter/acceptance/sets/lawful_results.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/sets/complex_parts.h"
#include "interpreter/acceptance/sets/exact_results.h"
#include "interpreter/acceptance/sets/lawful_facts.h"
#include "interpreter/acceptance/sets/reals.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

// The results of the pipeline for one component.
struct LawfulComponent {
  Reals unrounded;  // as a term of a sum, if the leaf passes unrounded to the next instruction
  Reals lawful;
  std::uint32_t freedoms = 0;  // the bits that widened it
};

// Returns the range of a result that overflows. Rules accept every number beyond the largest finite one. A result that
// is kept in a wider type instead has an error that is as large upwards as downwards.
Reals AroundOverflow(const Reals& exact, const Reals& accepted) {
  const double reach = std::isinf(accepted.high) ? exact.low - accepted.low : accepted.high - exact.high;
  return {exact.low - reach, exact.high + reach, true};
}

// A function of one stage of the pipeline, with the bit of its freedom.
template <class Function>
struct StageOf {
  std::uint32_t bit;
  Function apply;
};

// The functions that the open freedoms of an instruction have at each stage, in the order of the freedoms.
struct Stages {
  explicit Stages(std::span<const OpenWidening> open) {
    for (const auto& [bit, widening] : open) {
      if (widening.before_rounding != nullptr) before_rounding.push_back({bit, widening.before_rounding});
      if (widening.at_rounding != nullptr) at_rounding.push_back({bit, widening.at_rounding});
      if (widening.after_rounding != nullptr) after_rounding.push_back({bit, widening.after_rounding});
    }
  }

  bool IsEmpty() const { return before_rounding.empty() && at_rounding.empty() && after_rounding.empty(); }

  std::vector<StageOf<decltype(FreedomWidening::before_rounding)>> before_rounding;
  std::vector<StageOf<decltype(FreedomWidening::at_rounding)>> at_rounding;
  std::vector<StageOf<decltype(FreedomWidening::after_rounding)>> after_rounding;
};

Reals WidenedByRule(const ElementFacts& element, const Reals& exact, std::uint32_t& freedoms) {
  const InstructionFacts& instruction = element.leaf.instruction;
  if (instruction.is_exact) return exact;
  const bool is_part = element.is_open && IsComplexType(element.leaf.type) && instruction.is_elementwise;
  const Reals wide = is_part ? LawfulPart(element, exact)
                             : instruction.rule->Widen(exact, element.leaf.value, element.place, element.part);
  if (!IsInexactType(element.leaf.type)) return wide;
  freedoms |= instruction.rule_bits;
  return OverflowsToNan(element) ? AroundOverflow(exact, wide) : wide;
}

// True if the reference's result is the only one, unless a freedom widens it.
bool IsSettled(const ElementFacts& element) {
  const InstructionFacts& instruction = element.leaf.instruction;
  if (element.is_open) return false;
  return instruction.is_exact ||
         (instruction.is_sum && instruction.rule->RoundsOnce(element.leaf.value, element.place));
}

// Returns the one number that a rule allows besides the reference's; nullopt if there are others.
std::optional<double> OnlyOther(const ElementFacts& element) {
  const InstructionFacts& instruction = element.leaf.instruction;
  if (element.is_open || instruction.is_exact || !IsFloatingPointType(element.leaf.type)) return std::nullopt;
  return instruction.rule->OnlyOther(element.leaf.value, element.place);
}

// Rounds a number to the leaf's type. The interval around a result that is settled includes ties, which would round to
// its neighbours. Elements that are moved are not rounded.
Reals RoundedOnce(const ElementFacts& element, const Reals& number, bool is_widened) {
  const LeafFacts& leaf = element.leaf;
  if (element.is_moved) return number;
  if (!is_widened && IsSettled(element)) return element.own;
  return leaf.part_type == F64 ? number : Rounded(FloatFormatOf(leaf.part_type), number);
}

// Runs the pipeline: finds the numbers that a lawful backend may store for one component, step by step as a backend
// computes them.
//   exact    The exact result, as far as it is known before rounding (exact_results.h).
//   rule     The computation has an error: an approximation, or an order of terms. This step is first, because the
//            bounds of errors are relative to the exact result.
//   before   Another number may be computed: a grouping with errors of its own, which add to those of the rule; NaN for
//            a flushed factor beside an infinity. The result's type does not yet count.
//   round    The number is rounded to the result's type, once.
//   at       Or it is rounded in another way, or not rounded. These alternatives start from the number before rounding,
//            so they join the results here and are not rounded again.
//   after    The stored number may be replaced: by anything if it is not finite, by zero if it is subnormal. Both apply
//            to the stored number, whichever rounding produced it. Their own order does not matter, because a result
//            that may be anything may be zero.
// Every step except the rounding returns a superset of its input, and the rounding is monotone. Omitting a step
// therefore only makes the set of lawful results smaller.
LawfulComponent RunPipeline(const ElementFacts& element, const Stages& stages) {
  LawfulComponent result;
  bool is_widened = false;
  const auto use = [&](const auto& stage, const Widening& widening) {
    if (widening.is_used) result.freedoms |= stage.bit | (widening.takes_several ? kSeveralBit : 0);
    is_widened |= widening.is_used;
    return widening.reals;
  };
  const Reals exact = ExactResultOf(element);
  Reals number = WidenedByRule(element, exact, result.freedoms);
  if (!IsInexactType(element.leaf.type)) return {number, number, result.freedoms};
  const std::optional<double> other = OnlyOther(element);
  if (other) number = Hull(exact, Reals::Point(*other));
  for (const auto& stage : stages.before_rounding) number = use(stage, stage.apply(element, number));
  Reals lawful =
      other && !is_widened ? Hull(element.own, Reals::Point(*other)) : RoundedOnce(element, number, is_widened);
  for (const auto& stage : stages.at_rounding) lawful = use(stage, stage.apply(element, number, lawful));
  for (const auto& stage : stages.after_rounding) lawful = use(stage, stage.apply(element, lawful));
  return {number, lawful, result.freedoms};
}

// True if a zero that is the only lawful number may have either sign. Sums of zeros of both signs depend on their
// order.
bool HasEitherZero(const ElementFacts& element, const Reals& lawful) {
  if (!(lawful.low == 0 && lawful.high == 0 && !lawful.may_be_nan) || !IsInexactType(element.leaf.type)) return false;
  const InstructionFacts& instruction = element.leaf.instruction;
  return instruction.is_sum || std::ranges::any_of(instruction.open, [&](const OpenWidening& freedom) {
           const auto frees = freedom.widening.frees_sign_of_zero;
           return frees != nullptr && frees(element);
         });
}

// True if the component must be written to the set of open elements. An open zero is written for its sign.
bool IsOpen(const ElementFacts& element, const Reals& lawful) {
  const bool is_open_zero = element.is_open && element.own.low == 0 && IsInexactType(element.leaf.type);
  return is_open_zero || !Same(lawful, element.own) || HasEitherZero(element, lawful);
}

// True if the lawful results of an open element depend on its image alone.
bool FollowFromImage(const LeafFacts& leaf, const Stages& stages) {
  const InstructionFacts& instruction = leaf.instruction;
  const bool is_uniform = instruction.is_exact || instruction.rule->WidensByExactAlone();
  return is_uniform && stages.IsEmpty() && leaf.unrounded == 0 && IsFloatingPointType(leaf.type);
}

// True if no freedom widens the normal numbers of a leaf (FreedomWidening::keeps_normal).
bool KeepNormal(const LeafFacts& leaf) {
  if (!IsFloatingPointType(leaf.type) || leaf.type == F64) return false;
  return std::ranges::all_of(leaf.instruction.open, [&](const OpenWidening& freedom) {
    const FreedomWidening& widening = freedom.widening;
    if (widening.keeps_normal != nullptr) return widening.keeps_normal(leaf);
    return widening.before_rounding == nullptr && widening.at_rounding == nullptr && widening.after_rounding == nullptr;
  });
}

// Writes the results of the pipeline for all components of a leaf.
class LeafResults {
 public:
  // `numbers` are those of the leaf's value.
  LeafResults(const LeafFacts& leaf, const Place& place, const Literal& numbers, const Literal* exact)
      : stages_(leaf.instruction.open),
        normal_(KeepNormal(leaf) ? std::optional<NormalRounding>(leaf.type) : std::nullopt),
        lawful_(numbers),
        follow_from_image_(FollowFromImage(leaf, stages_)) {
    if (leaf.unrounded != 0) unrounded_.emplace(numbers);
    const int parts = ComponentCount(leaf.type);
    const auto widen = [&](std::int64_t begin, std::int64_t end) {
      std::uint32_t freedoms = 0;
      Place at = place;
      Known known;
      for (at.offset = begin; at.offset < end; ++at.offset) {
        if (normal_ && leaf.instruction.is_exact && StoreNormal(leaf, at.offset, exact)) continue;
        if (normal_ && IsSettledSum(leaf, at)) {
          freedoms |= leaf.instruction.rule_bits;
          continue;
        }
        for (int part = 0; part < parts; ++part) freedoms |= Store(MakeElementFacts(leaf, at, part, exact), known);
      }
      freedoms_ |= freedoms;
    };
    const std::int64_t count = leaf.value.element_count();
    // The first call of a rule computes the facts that it shares among all elements.
    if (count > 0) widen(0, 1);
    ParallelFor(count, kDearPerPiece, widen);
  }

  // Moves the open elements to the set of the leaf.
  void MoveTo(const LeafFacts& leaf, ValueSet& set) {
    set.freedoms |= freedoms_;
    if (leaf.image != nullptr && freedoms_ == 0) lawful_.Allow(leaf.image->allows);
    set.open = lawful_.Take();
    if (unrounded_) MoveTerms(leaf, set);
  }

 private:
  // The image and the result of the last open element. If nothing is known of the operands, all elements have one
  // image.
  struct Known {
    std::optional<Reals> image;
    LawfulComponent component;
  };

  // True if the pipeline finds one number for an element of a sum: the other steps take many times longer, and most
  // elements of a scatter are those of the operand.
  bool IsSettledSum(const LeafFacts& leaf, const Place& at) const {
    const InstructionFacts& instruction = leaf.instruction;
    return instruction.is_sum && leaf.unrounded == 0 && !leaf.IsOpen(at.offset) &&
           normal_->Takes(leaf.own[at.offset]) && instruction.rule->RoundsOnce(leaf.value, at);
  }

  // Stores what the pipeline finds for an element of a real leaf whose numbers are normal. Returns false for others.
  bool StoreNormal(const LeafFacts& leaf, std::int64_t i, const Literal* exact) {
    const bool is_open = leaf.IsOpen(i);
    const Reals own = Reals::Point(leaf.own[i]);
    const double in_f64 = exact != nullptr ? exact->values<double>()[i] : own.low;
    Reals number = is_open ? RealsAt(*leaf.image, i, i) : Reals::Point(in_f64);
    const bool is_normal = normal_->Takes(own.low) && normal_->Takes(number.low) && normal_->Takes(number.high);
    if (!is_normal || number.may_be_nan || !(number.low <= number.high) || number.ContainsZero()) return false;
    if (!is_open && (*normal_)(in_f64) != own.low) number = own;
    Reals lawful = is_open ? number : own;
    if (is_open && leaf.instruction.rounds) lawful = {(*normal_)(number.low), (*normal_)(number.high), false};
    if (!Same(lawful, own)) lawful_.Set(i, lawful);
    SetTerm(i, number, lawful);
    return true;
  }

  LawfulComponent Run(const ElementFacts& element, Known& known) const {
    if (!follow_from_image_ || !element.is_open) return RunPipeline(element, stages_);
    if (!known.image || !Same(*known.image, element.image)) known = {element.image, RunPipeline(element, stages_)};
    return known.component;
  }

  std::uint32_t Store(const ElementFacts& element, Known& known) {
    const LawfulComponent component = Run(element, known);
    if (IsOpen(element, component.lawful)) lawful_.Set(element.component, component.lawful);
    SetTerm(element.component, component.unrounded, component.lawful);
    return component.freedoms;
  }

  void SetTerm(std::int64_t component, const Reals& number, const Reals& lawful) {
    if (!unrounded_) return;
    const Reals unrounded = Hull(number, lawful);
    if (!Same(unrounded, lawful)) unrounded_->Set(component, unrounded);
  }

  void MoveTerms(const LeafFacts& leaf, ValueSet& set) {
    ElementWriter& terms = *unrounded_;
    // Open numbers of f64 are not rounded here: their set is that of unrounded ones, too.
    if (set.open || terms.HasOpen()) set.freedoms |= leaf.unrounded;
    if (!terms.HasOpen()) return;
    for (std::int64_t i = 0; set.open && i < leaf.value.element_count(); ++i) {
      const bool is_open = set.open->state.values<std::uint8_t>()[i] != 0;
      if (is_open && !terms.IsSet(i)) terms.Set(i, RealsAt(*set.open, i, i));
    }
    set.as_term = terms.Take();
  }

  const Stages stages_;
  const std::optional<NormalRounding> normal_;  // if no freedom widens normal numbers
  ElementWriter lawful_;
  std::optional<ElementWriter> unrounded_;  // if terms may stay unrounded
  const bool follow_from_image_;
  std::atomic<std::uint32_t> freedoms_ = 0;
};

void Inherit(const ValueSet& from, ValueSet& set) {
  if (from.open || from.as_term) set.freedoms |= from.freedoms;
  if (from.open && from.widest != nullptr && set.widest == nullptr) set.widest = from.widest;
  for (const ValueSet& element : from.elements) Inherit(element, set);
}

// Returns the bits of the freedoms that leave a leaf unknown.
std::uint32_t UnknownBy(const LeafFacts& leaf) {
  std::uint32_t bits = 0;
  for (const auto& [bit, widening] : leaf.instruction.open) {
    if (widening.finite_only) bits |= bit;
  }
  if (bits == 0 || (IsFinite(leaf.value) && leaf.instruction.operand_facts.AreFinite())) return 0;
  return bits;
}

// Returns the bits of the freedoms that may change a leaf.
std::uint32_t ChangedBy(const LeafFacts& leaf) {
  std::uint32_t bits = 0;
  for (const auto& [bit, widening] : leaf.instruction.open) {
    if (widening.may_open != nullptr && widening.may_open(leaf)) bits |= bit;
  }
  return bits;
}

// True if every lawful result is the exact one.
bool IsUntouched(const LeafFacts& leaf) {
  if (!leaf.instruction.is_exact) return false;
  const bool is_settled = leaf.image == nullptr || (IsInexactType(leaf.type) && !leaf.instruction.rounds);
  return is_settled && ChangedBy(leaf) == 0;
}

// True for results that are computed in a format without zeros: little is known of them. A conversion of a known number
// has one result.
bool IsComputedWithoutZeros(const LeafFacts& leaf) {
  const bool is_conversion = leaf.instruction.acceptance.Has(Trait::kConverts) && leaf.image == nullptr;
  return IsFloatingPointType(leaf.type) && !FloatFormatOf(leaf.type).has_zero && leaf.instruction.rounds &&
         !is_conversion;
}

ValueSet WidenLeaf(const InstructionFacts& instruction, const Literal& value, const Place& place,
                   std::shared_ptr<const OpenElements> image, SetEvaluation& evaluation) {
  ValueSet set;
  set.value = value;
  for (const ValueSet& operand : instruction.operands) Inherit(operand, set);
  if (!value.shape().IsArray()) return set;
  for (const OpenWidening& freedom : instruction.open) {
    if (const auto count = freedom.widening.count) count(instruction, set);
  }
  const Literal numbers = NumbersOf(value);
  const LeafFacts leaf = MakeLeafFacts(instruction, value, ComponentsIn(numbers), image.get(), set);
  const std::uint32_t unknown_by = UnknownBy(leaf);
  if (unknown_by == 0 && IsUntouched(leaf)) {
    set.open = std::move(image);
    return set;
  }
  if (unknown_by != 0 || IsComputedWithoutZeros(leaf)) {
    ValueSet unknown = Anything(value, &instruction.hlo);
    // A conversion that is elided takes two instructions, also where nothing else is known.
    unknown.freedoms = set.freedoms | (unknown_by != 0 ? unknown_by : kApproximationBit | ChangedBy(leaf));
    return unknown;
  }
  const std::optional<Literal> exact = ResultInF64(leaf, place, evaluation);
  LeafResults(leaf, place, numbers, exact ? &*exact : nullptr).MoveTo(leaf, set);
  return set;
}

ValueSet WidenLeaves(const InstructionFacts& instruction, const Literal& value, const Place& place,
                     const std::shared_ptr<const OpenElements>& image, SetEvaluation& evaluation) {
  if (!value.shape().IsTuple()) return WidenLeaf(instruction, value, place, image, evaluation);
  std::vector<ValueSet> elements;
  for (std::size_t i = 0; i < value.elements().size(); ++i) {
    Place part = place;
    part.tuple_index.push_back(static_cast<std::int64_t>(i));
    elements.push_back(WidenLeaves(instruction, value.elements()[i], part, nullptr, evaluation));
  }
  return ValueSet::Tuple(std::move(elements));
}

}  // namespace

ValueSet WidenToLawful(const JudgedInstruction& judged, std::span<const ValueSet> operands, const Literal& value,
                       std::shared_ptr<const OpenElements> image, SetEvaluation& evaluation) {
  const InstructionFacts facts(judged, operands);
  ValueSet set = WidenLeaves(facts, value, {}, image, evaluation);
  for (const Freedom freedom : AllFreedoms()) {
    if (const auto carry = RecordOf(freedom).widening.carry) carry(facts, evaluation, set);
  }
  return set;
}

Reals LawfulByRule(const ElementFacts& element) { return RunPipeline(element, Stages({})).lawful; }

}  // namespace assay
