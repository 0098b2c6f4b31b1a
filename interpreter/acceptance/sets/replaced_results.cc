#include "interpreter/acceptance/sets/replaced_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/sets/lawful_results.h"
#include "interpreter/acceptance/sets/reals.h"

namespace assay {
namespace {

constexpr ElementVerdict kNotReplaced = {Verdict::kFail, ""};
constexpr ElementVerdict kUnknown = {Verdict::kWeak,
                                     "whether the exact value is below the least normal number is not known"};

// Returns the numbers that the rule lets a backend store. The bound of a complex function is relative to its rounded
// value. A rule without a bound judges numbers in its own way: here the result is the only one.
Reals AllowedByRule(const ElementFacts& component) {
  const LeafFacts& leaf = component.leaf;
  const Reals allowed = IsComplexType(leaf.type) && !leaf.instruction.is_exact
                            ? leaf.instruction.rule->Widen(component.own, leaf.value, component.place, component.part)
                            : LawfulByRule(component);
  const bool has_bound = leaf.instruction.is_sum || std::isfinite(allowed.high - allowed.low);
  return has_bound ? allowed : component.own;
}

// Returns the numbers that a freedom may replace. If they include zero, the rule has excluded it: its bound, which the
// ends are rounded from, is narrower.
Reals StoredByRule(const ElementFacts& component) {
  const Reals allowed = AllowedByRule(component);
  const bool has_no_zero = !std::isfinite(allowed.high - allowed.low) || !allowed.ContainsZero();
  return has_no_zero ? allowed : component.own;
}

bool IsAnything(const Widening& replaced) { return Same(replaced.reals, Reals()); }

}  // namespace

ReplacedResults::ReplacedResults(const JudgedInstruction& judged)
    : judged_(judged), exact_(judged.instruction, judged.operands) {
  for (const Freedom freedom : AllFreedoms()) {
    const FreedomWidening& widening = RecordOf(freedom).widening;
    const bool replaces = widening.after_rounding != nullptr || widening.frees_sign_of_zero != nullptr;
    const bool is_of_one = !widening.takes_several_instructions;
    if (replaces && is_of_one && judged.Allows(freedom)) open_.push_back(freedom);
  }
}

LeafFacts ReplacedResults::FactsOf(const Literal& want) {
  if (facts_ == nullptr) {
    for (const Literal& operand : judged_.operands) operands_.push_back(ValueSet::Of(operand));
    facts_ = std::make_unique<const InstructionFacts>(judged_, operands_);
    are_operands_finite_ = facts_->operand_facts.AreFinite();
  }
  return MakeLeafFacts(*facts_, want, {}, nullptr, {});
}

ElementFacts ReplacedResults::FactsOf(const LeafFacts& leaf, const Place& place, int part) {
  const std::int64_t component = place.offset * ComponentCount(leaf.type) + part;
  const double own = RealValue(ComponentAt(leaf.value, component));
  // The digits before rounding count for numbers that may be flushed. Those of a sum in f64 may be rounded themselves.
  const bool is_read = !leaf.instruction.is_sum && std::fabs(own) <= 2 * LeastNormal(leaf.part_type);
  return {.leaf = leaf,
          .place = place,
          .part = part,
          .component = component,
          .own = Reals::Point(own),
          .is_open = false,
          .is_moved = false,
          .image = {},
          .exact = is_read ? exact_.At(place.tuple_index, leaf.value, component) : std::nullopt};
}

Widening ReplacedResults::Replaced(const FreedomWidening& widening, const ElementFacts& component) const {
  if (widening.finite_only && !are_operands_finite_) return {{}, true};
  const Reals stored = StoredByRule(component);
  return widening.after_rounding == nullptr ? Widening{stored} : widening.after_rounding(component, stored);
}

bool ReplacedResults::AdmitsZero(const FreedomWidening& widening, const ElementFacts& component, bool sign) const {
  const RealElement want = ComponentAt(component.leaf.value, component.component);
  // A part of a complex number may take several steps: a flushed -tiny and a 0 add up to 0.
  const bool has_steps = IsComplexType(component.leaf.type) && !facts_->is_exact && !IsZero(want);
  const auto frees_sign = [&](Freedom freedom) {
    const auto frees = RecordOf(freedom).widening.frees_sign_of_zero;
    return frees != nullptr && frees(component);
  };
  if (HasSign(want) != sign && !has_steps && std::ranges::none_of(open_, frees_sign)) return false;
  return IsZero(want) || Replaced(widening, component).reals.gap > 0;
}

ElementVerdict ReplacedResults::JudgeBy(const FreedomRecord& record, const LeafFacts& leaf, const Literal& got,
                                        const Place& place) {
  bool is_admitted = false, is_lawful = true, is_open = false, is_known = true;
  const int parts = ComponentCount(leaf.type);
  for (int part = 0; part < parts; ++part) {
    const ElementFacts component = FactsOf(leaf, place, part);
    is_open |= record.widening.finite_only && IsAnything(Replaced(record.widening, component));
    const RealElement a = ComponentAt(leaf.value, component.component), b = ComponentAt(got, component.component);
    if (a.bits == b.bits || (IsNan(a) && IsNan(b))) continue;
    const bool admits = IsZero(b) && AdmitsZero(record.widening, component, HasSign(b));
    is_admitted |= admits;
    const bool is_least = std::fabs(component.own.low) == LeastNormal(leaf.part_type);
    is_known &= !admits || !is_least || !facts_->is_exact || component.exact.has_value();
    // The other part of a complex number may have an error.
    const bool may_err = parts > 1 && !facts_->is_exact;
    is_lawful &= admits || (may_err && AllowedByRule(component).Contains(RealValue(b)));
  }
  if (is_open) return {Verdict::kSpecGap, record.reason};
  if (!is_admitted || !is_lawful) return kNotReplaced;
  return is_known ? ElementVerdict{Verdict::kLegal, record.reason} : kUnknown;
}

ElementVerdict ReplacedResults::JudgePredicate(const Literal& want) {
  for (const Freedom freedom : open_) {
    if (!RecordOf(freedom).widening.finite_only) continue;
    FactsOf(want);
    if (!are_operands_finite_) return {Verdict::kSpecGap, RecordOf(freedom).reason};
  }
  return kNotReplaced;
}

ElementVerdict ReplacedResults::Judge(const Literal& want, const Literal& got, const Place& place) {
  if (want.element_type() == PRED) return JudgePredicate(want);
  if (!IsInexactType(want.element_type())) return kNotReplaced;
  const int parts = ComponentCount(want.element_type());
  const auto is_zero = [&](int part) { return IsZero(ComponentAt(got, place.offset * parts + part)); };
  const bool has_zero = is_zero(0) || is_zero(parts - 1);
  for (const Freedom freedom : open_) {
    const FreedomRecord& record = RecordOf(freedom);
    if (!has_zero && !record.widening.finite_only) continue;
    const ElementVerdict verdict = JudgeBy(record, FactsOf(want), got, place);
    if (verdict.verdict != Verdict::kFail) return verdict;
  }
  return kNotReplaced;
}

std::vector<std::string> ReplacedResults::Explain(const Literal& want, const Place& place) {
  std::vector<std::string> steps;
  if (open_.empty() || !IsInexactType(want.element_type())) return steps;
  const LeafFacts leaf = FactsOf(want);
  for (const Freedom freedom : open_) {
    const FreedomRecord& record = RecordOf(freedom);
    bool is_used = record.widening.after_rounding == nullptr;
    for (int part = 0; part < ComponentCount(leaf.type); ++part) {
      is_used |= Replaced(record.widening, FactsOf(leaf, place, part)).is_used;
    }
    if (!is_used) continue;
    steps.push_back(fmt::format("{} is open: {} ({})", record.name, record.meaning, judged_.SourceOf(freedom)));
  }
  return steps;
}

}  // namespace assay
