#include "interpreter/acceptance/freedom_judges.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/implementation_defined.h"
#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/sets/freedom_widening.h"
#include "interpreter/acceptance/sets/open_folds.h"
#include "interpreter/acceptance/sets/other_orders.h"
#include "interpreter/acceptance/sets/program_sets.h"
#include "interpreter/acceptance/sets/reals.h"

namespace assay {
namespace {

constexpr std::string_view kImplementationDefined = "the specification leaves the value to the implementation";

}  // namespace

FreedomJudges::FreedomJudges(const JudgedInstruction& judged, AcceptanceRule& rule)
    : judged_(judged),
      acceptance_(AcceptanceOf(judged.instruction)),
      rule_(rule),
      replaced_(judged),
      set_(judged.instruction, judged.operands, judged.profile) {}

ElementVerdict FreedomJudges::Judge(const Literal& want, const Literal& got, const Place& place) {
  if (IsOrderOpen(want, got, place)) return {Verdict::kSpecGap, "the order of the updates is open"};
  const ElementVerdict direct = rule_.Judge(want, got, place);
  if (direct.verdict != Verdict::kFail || rule_.HasSet(place)) return direct;
  if (IsImplementationDefined(want, place) && IsAllowed(got, place)) {
    return {Verdict::kSpecGap, kImplementationDefined};
  }
  const ElementVerdict replaced = replaced_.Judge(want, got, place);
  if (replaced.verdict != Verdict::kFail) return replaced;
  for (const std::unique_ptr<Reading>& reading : Readings()) {
    const ElementVerdict verdict = JudgeReading(*reading, want, got, place);
    if (verdict.verdict == Verdict::kFail) continue;
    if (!reading->freedom) otherwise_ = reading.get();
    return verdict;
  }
  if (IsOpenFold(got, place)) return {Verdict::kSpecGap, kOpenFold};
  return JudgeBySteps(got, place).value_or(direct);
}

std::optional<ElementVerdict> FreedomJudges::JudgeBySteps(const Literal& got, const Place& place) {
  const bool is_exact = acceptance_.rule == Acceptance::kCalled && judged_.rule.acceptance == Acceptance::kExact;
  if (!is_exact || OrderMatters(judged_.instruction)) return std::nullopt;
  const ValueSet* leaf = set_.At(place);
  if (leaf == nullptr || !MayDifferAgain(*leaf)) return std::nullopt;
  return steps_.try_emplace(place.tuple_index, *leaf).first->second.Judge(got, place.offset);
}

bool FreedomJudges::IsImplementationDefined(const Literal& want, const Place& place) {
  const std::size_t leaf = place.tuple_index.empty() ? 0 : static_cast<std::size_t>(place.tuple_index.back());
  const auto [test, is_new] = implementation_defined_.try_emplace(leaf);
  if (is_new) test->second = ImplementationDefined(judged_, judged_.operands, leaf, want);
  return test->second && test->second(place.offset);
}

bool FreedomJudges::IsAllowed(const Literal& got, const Place& place) {
  const ValueSet* leaf = set_.At(place);
  return leaf == nullptr || leaf->open == nullptr || !leaf->open->allows || leaf->open->allows(got, place.offset);
}

bool FreedomJudges::IsOpenFold(const Literal& got, const Place& place) {
  if (!acceptance_.Has(Trait::kFolds) || !judged_.arithmetic.takes_any_order) return false;
  if (HasOpenOrder(judged_.instruction)) return true;  // also for a fold by several devices, which has no set
  const ValueSet* leaf = set_.At(place);
  if (leaf == nullptr || !IsExplainedBy(kSpecGapBit, *leaf, got, place.offset)) return false;
  if (!starts_) starts_.emplace(judged_.instruction, judged_.operands);
  return starts_->Explain(leaf->value, got, place.offset);
}

void FreedomJudges::JudgeWhole(const Literal& want, const Literal& got, Judgement& judgement) {
  if (otherwise_ != nullptr) return otherwise_->rule->JudgeWhole(*otherwise_->want, got, judgement);
  const Judgement elements = judgement;
  rule_.JudgeWhole(want, got, judgement);
  if (judgement.verdict != Verdict::kFail || judged_.rule.acceptance != Acceptance::kProperties) return;
  if (want.shape().IsArray() && IsImplementationDefined(want, {})) {
    judgement = elements;
    judgement.verdict = Verdict::kSpecGap;
    judgement.reason = kImplementationDefined;
    return;
  }
  for (const std::unique_ptr<Reading>& reading : Readings()) {
    Judgement by_reading = elements;
    reading->rule->JudgeWhole(*reading->want, got, by_reading);
    if (by_reading.verdict == Verdict::kFail) continue;
    judgement = by_reading;
    if (judgement.verdict == Verdict::kLegal) judgement.reason = reading->Reason();
    return;
  }
}

FreedomJudges::Reading::Reading(const JudgedInstruction& of, EvaluateFunction body, std::vector<Literal> read_operands,
                                std::optional<Freedom> by)
    : freedom(by),
      op(WithBody(*of.instruction.op, body)),
      instruction(of.instruction),
      operands(std::move(read_operands)),
      judged{instruction, operands, of.profile, of.rule},
      want(by ? EvaluateAlone(of.instruction, operands) : EvaluateBy(body, of.instruction, operands)),
      replaced(judged) {
  if (!by) instruction.op = &op;
  rule = MakeRule(judged);
}

std::string_view FreedomJudges::Reading::Reason() const {
  return freedom ? RecordOf(*freedom).reason : AcceptanceOf(op).gap.otherwise;
}

const std::vector<std::unique_ptr<FreedomJudges::Reading>>& FreedomJudges::Readings() {
  if (readings_) return *readings_;
  readings_.emplace();
  const auto add = [&](EvaluateFunction body, std::vector<Literal> operands, std::optional<Freedom> by) {
    auto reading = std::make_unique<Reading>(judged_, body, std::move(operands), by);
    if (reading->want) readings_->push_back(std::move(reading));
  };
  const std::vector<Literal> given(judged_.operands.begin(), judged_.operands.end());
  for (const EvaluateFunction body : OtherReadingsOf(judged_.instruction)) add(body, given, std::nullopt);
  for (const Freedom freedom : AllFreedoms()) {
    const auto read = RecordOf(freedom).read_operand;
    // The rule of a sort reads the keys itself: its rows must be a permutation, whichever way a key is read.
    if (read == nullptr || !judged_.Allows(freedom) || judged_.rule.acceptance == Acceptance::kUnordered) continue;
    const auto add_read = [&](const auto& is_read) {
      std::vector<Literal> operands = given;
      for (int i = 0; i < std::ssize(operands); ++i) operands[i] = is_read(i) ? read(given[i]) : given[i];
      if (!std::ranges::equal(operands, given, &Literal::BitwiseEqual)) add(nullptr, std::move(operands), freedom);
    };
    add_read([](int) { return true; });
    // The comparison of elements may read them in another way than the sum of those that it chooses.
    const int compared = acceptance_.Fact<FoldFacts>().compared_operand;
    if (compared >= 0) add_read([=](int i) { return i == compared; });
  }
  return *readings_;
}

ElementVerdict FreedomJudges::JudgeReading(Reading& reading, const Literal& want, const Literal& got,
                                           const Place& place) {
  const bool is_real = IsInexactType(want.element_type()), has_other_operands = reading.freedom.has_value();
  // Only comparisons let other operands change a result that is not real: predicates, and the parts of a tuple that are
  // sorted along with real numbers.
  const bool is_moved = !is_real && want.element_type() != PRED && place.tuple_index.empty();
  if (has_other_operands && is_moved) return {Verdict::kFail, ""};
  const Literal& expected = place.LeafOf(*reading.want);
  ElementVerdict verdict = {Verdict::kLegal, ""};
  const ElementVerdict replaced = reading.replaced.Judge(expected, got, place);
  if (replaced.verdict == Verdict::kSpecGap) return replaced;
  const bool is_lawful = replaced.verdict == Verdict::kLegal || SameElement(expected, got, place.offset);
  if (!is_lawful) verdict = reading.rule->Judge(expected, got, place);
  if (verdict.verdict == Verdict::kFail) {
    if (!has_other_operands || !is_real || !IsBetween(want, expected, got, place.offset)) return verdict;
    verdict = {};
  }
  verdict.verdict = has_other_operands ? Verdict::kLegal : std::max(verdict.verdict, Verdict::kSpecGap);
  verdict.reason = reading.Reason();
  return verdict;
}

bool FreedomJudges::IsBetween(const Literal& want, const Literal& other, const Literal& got,
                              std::int64_t offset) const {
  const bool is_exact_fold = acceptance_.rule == Acceptance::kCalled && judged_.rule.acceptance == Acceptance::kExact;
  if (!is_exact_fold || OrderMatters(judged_.instruction)) return false;
  const int components = ComponentCount(got.element_type());
  for (std::int64_t i = offset * components; i < (offset + 1) * components; ++i) {
    const RealElement a = ComponentAt(want, i), b = ComponentAt(other, i), x = ComponentAt(got, i);
    const Reals between = Hull(Reals::Point(RealValue(a)), Reals::Point(RealValue(b)));
    const bool is_either = x.bits == a.bits || x.bits == b.bits;
    if (!is_either && !(IsSubnormal(x) && between.Contains(RealValue(x)))) return false;
  }
  return true;
}

bool FreedomJudges::IsOrderOpen(const Literal& want, const Literal& got, const Place& place) {
  const HloInstruction& instruction = judged_.instruction;
  if (acceptance_.gap.in_opposite_order == nullptr) return false;
  if (Overwrites(instruction)) {
    const ValueSet* leaf = set_.At(place);
    return leaf == nullptr || IsExplainedBy(kReadingBit, *leaf, got, place.offset);
  }
  return InOtherOrder(want, place) != nullptr;
}

const Literal* FreedomJudges::InOtherOrder(const Literal& want, const Place& place) {
  if (!in_other_orders_) {
    in_other_orders_.emplace();
    const auto add = [&](std::optional<Literal> other) {
      if (other) in_other_orders_->push_back(*std::move(other));
      return false;
    };
    const HloInstruction& fold = judged_.instruction;
    add(EvaluateBy(acceptance_.gap.in_opposite_order, fold, judged_.operands));
    if (FoldsInSteps(judged_)) {
      AnyOtherOrder(fold, judged_.operands,
                    [&](std::vector<Literal> operands) { return add(EvaluateAlone(fold, std::move(operands))); });
    }
  }
  for (const Literal& other : *in_other_orders_) {
    const Literal& leaf = place.LeafOf(other);
    if (!SameElement(leaf, want, place.offset)) return &leaf;
  }
  return nullptr;
}

std::vector<std::string> FreedomJudges::Explain(const Literal& want, const Place& place) {
  std::vector<std::string> steps;
  if (Overwrites(judged_.instruction)) {
    const ValueSet* leaf = set_.At(place);
    if (leaf != nullptr && ElementReader(*leaf).IsOpen(place.offset)) {
      const Reals any = ElementReader(*leaf).At(place.offset * ComponentCount(want.element_type()));
      steps.push_back(
          fmt::format("the order of the updates is open, which lie in [{:.9g}, {:.9g}]: SPEC-GAP for one of them",
                      any.low, any.high));
    }
  } else if (IsOrderOpen(want, want, place)) {
    steps.push_back(fmt::format("the order of the updates is open, and another one gives {}: SPEC-GAP",
                                DescribeElement(*InOtherOrder(want, place), place.offset)));
  }
  if (IsImplementationDefined(want, place)) {
    steps.push_back(fmt::format("{}: another lawful value is SPEC-GAP", kImplementationDefined));
  }
  for (const std::unique_ptr<Reading>& reading : Readings()) {
    const Literal& other = place.LeafOf(*reading->want);
    if (SameElement(other, want, place.offset)) continue;
    steps.push_back(fmt::format("{}: the result may also be {}, judged by the same rule{}", reading->Reason(),
                                DescribeElement(other, place.offset),
                                reading->freedom ? fmt::format(" ({})", judged_.SourceOf(*reading->freedom)) : ""));
  }
  for (std::string& step : replaced_.Explain(want, place)) steps.push_back(std::move(step));
  return steps;
}

}  // namespace assay
