#include "interpreter/acceptance/freedom_judges.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/acceptance/implementation_defined.h"
#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/sets/freedom_widening.h"
#include "interpreter/acceptance/sets/open_folds.h"
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
      set_(judged.instruction, judged.operands, judged.profile) {
  for (const Freedom freedom : AllFreedoms()) {
    const auto make = RecordOf(freedom).make;
    if (make != nullptr && judged.Allows(freedom)) open_.push_back({freedom, make(judged, rule)});
  }
}

ElementVerdict FreedomJudges::Judge(const Literal& want, const Literal& got, const Place& place) {
  if (IsOrderOpen(want, got, place)) return {Verdict::kSpecGap, "the order of the updates is open"};
  const ElementVerdict direct = rule_.Judge(want, got, place);
  if (direct.verdict != Verdict::kFail) return direct;
  if (IsImplementationDefined(want, place)) return {Verdict::kSpecGap, kImplementationDefined};
  const ElementVerdict otherwise = JudgeOtherwise(got, place);
  if (otherwise.verdict != Verdict::kFail) return otherwise;
  for (const auto& [freedom, judge] : open_) {
    const ElementVerdict verdict = judge->Judge(want, got, place);
    if (verdict.verdict != Verdict::kFail) return verdict;
  }
  if (IsOpenFold(got, place)) return {Verdict::kSpecGap, kOpenFold};
  return direct;
}

bool FreedomJudges::IsImplementationDefined(const Literal& want, const Place& place) {
  const std::size_t leaf = place.tuple_index.empty() ? 0 : static_cast<std::size_t>(place.tuple_index.back());
  const auto [test, is_new] = implementation_defined_.try_emplace(leaf);
  if (is_new) test->second = ImplementationDefined(judged_, judged_.operands, leaf, want);
  return test->second && test->second(place.offset);
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
  if (is_otherwise_ != nullptr) return is_otherwise_->rule->JudgeWhole(*is_otherwise_->want, got, judgement);
  const Judgement elements = judgement;
  rule_.JudgeWhole(want, got, judgement);
  for (const auto& [freedom, judge] : open_) {
    if (judgement.verdict == Verdict::kFail) judge->JudgeWhole(want, got, elements, judgement);
  }
}

bool FreedomJudges::IsOrderOpen(const Literal& want, const Literal& got, const Place& place) {
  const HloInstruction& instruction = judged_.instruction;
  if (acceptance_.gap.in_opposite_order == nullptr) return false;
  if (Overwrites(instruction)) {
    const ValueSet* leaf = set_.At(place);
    return leaf == nullptr || IsExplainedBy(kReadingBit, *leaf, got, place.offset);
  }
  if (!opposite_) opposite_ = EvaluateBy(acceptance_.gap.in_opposite_order, instruction, judged_.operands);
  return *opposite_ && !SameElement(place.LeafOf(**opposite_), want, place.offset);
}

FreedomJudges::Otherwise::Otherwise(const JudgedInstruction& of, EvaluateFunction body)
    : op(WithBody(*of.instruction.op, body)),
      instruction(of.instruction),
      judged{instruction, of.operands, of.profile, of.rule},
      want(EvaluateBy(body, of.instruction, of.operands)) {
  instruction.op = &op;
  rule = MakeRule(judged);
}

const std::vector<std::unique_ptr<FreedomJudges::Otherwise>>& FreedomJudges::OtherReadings() {
  if (otherwise_) return *otherwise_;
  otherwise_.emplace();
  for (const EvaluateFunction body : OtherReadingsOf(judged_.instruction)) {
    auto other = std::make_unique<Otherwise>(judged_, body);
    if (other->want) otherwise_->push_back(std::move(other));
  }
  return *otherwise_;
}

ElementVerdict FreedomJudges::JudgeOtherwise(const Literal& got, const Place& place) {
  for (const std::unique_ptr<Otherwise>& other : OtherReadings()) {
    const Literal& want = place.LeafOf(*other->want);
    ElementVerdict verdict = {Verdict::kLegal, ""};
    if (!SameElement(want, got, place.offset)) verdict = other->rule->Judge(want, got, place);
    if (verdict.verdict == Verdict::kFail) continue;
    is_otherwise_ = other.get();
    return {std::max(verdict.verdict, Verdict::kSpecGap), AcceptanceOf(other->op).gap.otherwise, verdict.share};
  }
  return {Verdict::kFail, ""};
}

std::vector<std::string> FreedomJudges::Explain(const Literal& want, const Place& place) {
  std::vector<std::string> steps;
  if (Overwrites(judged_.instruction)) {
    const ValueSet* leaf = set_.At(place);
    if (leaf != nullptr && ElementReader(*leaf).IsOpen(place.offset)) {
      const Reals any = ElementReader(*leaf).At(place.offset * ComponentCount(want.element_type()));
      steps.push_back(
          fmt::format("the order of the updates is open, which lie in [{:.9g}, {:.9g}]: SPEC-GAP", any.low, any.high));
    }
  } else if (IsOrderOpen(want, want, place)) {
    steps.push_back(fmt::format("the order of the updates is open, and the opposite one gives {}: SPEC-GAP",
                                DescribeElement(place.LeafOf(**opposite_), place.offset)));
  }
  if (IsImplementationDefined(want, place)) {
    steps.push_back(fmt::format("{}: any other value is SPEC-GAP", kImplementationDefined));
  }
  for (const std::unique_ptr<Otherwise>& other : OtherReadings()) {
    if (SameElement(place.LeafOf(*other->want), want, place.offset)) continue;
    steps.push_back(fmt::format("{}: the result may also be {}, judged by the same rule",
                                AcceptanceOf(other->op).gap.otherwise,
                                DescribeElement(place.LeafOf(*other->want), place.offset)));
  }
  for (const auto& [freedom, judge] : open_) {
    for (const std::string& step : judge->Explain(want, place)) {
      steps.push_back(fmt::format("{} is open: {} ({})", RecordOf(freedom).name, step, judged_.SourceOf(freedom)));
    }
  }
  return steps;
}

}  // namespace assay
