#include "interpreter/acceptance/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "interpreter/acceptance/freedom_judges.h"
#include "interpreter/acceptance/record_element.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/sets/widen.h"
#include "interpreter/hlo/async_pairs.h"
#include "interpreter/types/join_text.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/without_throwing.h"

namespace assay {

namespace {

constexpr std::string_view kVerdictNames[] = {"EXACT",   "LEGAL", "SPEC-GAP", "UNSUPPORTED", "WEAK",
                                              "SUSPECT", "FAIL",  "ERROR",    "TIMEOUT",     "CRASH"};
static_assert(std::size(kVerdictNames) == static_cast<std::size_t>(Verdict::kCrash) + 1);

}  // namespace

std::string_view VerdictName(Verdict verdict) { return kVerdictNames[static_cast<int>(verdict)]; }

std::optional<Verdict> FindVerdict(std::string_view name) {
  const auto found = std::ranges::find(kVerdictNames, name);
  if (found == std::end(kVerdictNames)) return std::nullopt;
  return static_cast<Verdict>(found - std::begin(kVerdictNames));
}

bool HasOtherSizes(const Shape& want, const Shape& got, Judgement& judgement) {
  if (ShapeUtil::Compatible(want, got)) return false;
  judgement.verdict = Verdict::kFail;
  judgement.reason = fmt::format("other sizes at run time: got {}, want {}", got.ToStringWithoutLayout(),
                                 want.ToStringWithoutLayout());
  return true;
}

namespace {

// Records the verdict of `judge` for each element that differs, leaf after leaf.
template <class Judge>
void RecordLeaves(const Literal& want, const Literal& got, const Place& place, Judgement& judgement,
                  const Judge& judge) {
  for (std::size_t i = 0; i < want.elements().size(); ++i) {
    Place part = place;
    part.tuple_index.push_back(static_cast<std::int64_t>(i));
    RecordLeaves(want.elements()[i], got.elements()[i], part, judgement, judge);
  }
  if (want.shape().IsTuple()) return;
  RecordLeaf(want, got, place, judgement, /*are_failures_one=*/false,
             [&](const Place& at) { return judge(want, got, at); });
}

class ResultJudge {
 public:
  explicit ResultJudge(const JudgedInstruction& judged, const ElementObserver& observer = {})
      : rule_(MakeRule(judged)), freedoms_(judged, *rule_), observer_(observer) {}

  Judgement Judge(const Literal& want, const Literal& got) {
    Judgement judgement;
    if (HasOtherSizes(want.shape(), got.shape(), judgement)) return judgement;
    RecordLeaves(want, got, {}, judgement, [&](const Literal& wanted, const Literal& given, const Place& place) {
      const ElementVerdict verdict = freedoms_.Judge(wanted, given, place);
      if (observer_) observer_(place, verdict.verdict, verdict.reason);
      return verdict;
    });
    if (judgement.verdict != Verdict::kExact) freedoms_.JudgeWhole(want, got, judgement);
    return judgement;
  }

  std::vector<std::string> Explain(const Literal& want, const Place& place) {
    std::vector<std::string> steps = rule_->Explain(place.LeafOf(want), place);
    for (std::string& step : freedoms_.Explain(place.LeafOf(want), place)) steps.push_back(std::move(step));
    return steps;
  }

 private:
  const std::unique_ptr<AcceptanceRule> rule_;
  FreedomJudges freedoms_;
  const ElementObserver& observer_;
};

// For an element-wise instruction: adds the operands' elements and the exact value to the report.
void AddInputs(const JudgedInstruction& judged, const Literal& want, ElementReport& report) {
  if (!want.shape().IsArray() || !IsElementwise(judged, want.element_count())) return;
  for (const Literal& operand : judged.operands) {
    report.inputs.push_back(DescribeElement(operand, operand.element_count() == 1 ? 0 : report.offset));
  }
  report.exact = ExactElement(judged.instruction, judged.operands, want, report.offset);
}

}  // namespace

void RecordElement(const Literal& want, const Literal& got, const Place& place, const ElementVerdict& verdict,
                   Judgement& judgement, bool are_failures_one) {
  const auto tally = std::ranges::find_if(judgement.tallies, [&](const Tally& known) {
    const bool is_joined = are_failures_one && verdict.verdict == Verdict::kFail;
    return known.verdict == verdict.verdict && (known.reason == verdict.reason || is_joined);
  });
  if (tally == judgement.tallies.end()) {
    judgement.tallies.push_back({verdict.verdict, std::string(verdict.reason), 1});
  } else {
    ++tally->elements;
  }
  const ElementReport& worst = judgement.worst;
  const bool worse = verdict.verdict > judgement.verdict || judgement.not_exact == 1;
  const bool may_be_larger = verdict.verdict == judgement.verdict && verdict.share >= worst.share;
  if (!worse && !may_be_larger) return;
  const double steps = WorstUlps(want, got, place.offset);
  if (!worse && verdict.share == worst.share && steps <= worst.steps) return;
  judgement.verdict = std::max(judgement.verdict, verdict.verdict);
  judgement.reason = verdict.reason;
  judgement.worst = {
      .tuple_index = place.tuple_index,
      .offset = place.offset,
      .name = ElementName(place, want),
      .got = DescribeElement(got, place.offset),
      .want = DescribeElement(want, place.offset),
      .steps = steps,
      .ulps = IsInexactType(want.element_type()) && std::isfinite(steps) ? std::optional(steps) : std::nullopt,
      .share = verdict.share,
      .inputs = {},
      .exact = {}};
}

void RecordAsLegal(std::string_view reason, Judgement& judgement) {
  std::int64_t elements = 0;
  for (const Tally& tally : judgement.tallies) elements += tally.elements;
  judgement.verdict = Verdict::kLegal;
  judgement.reason = reason;
  judgement.tallies = {{Verdict::kLegal, judgement.reason, elements}};
}

Judgement JudgeInstruction(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& want,
                           const Literal& got, const Profile& profile, const ElementObserver& observer) {
  Result<Judgement> judgement = WithoutThrowing([&]() -> Result<Judgement> {
    const HloInstruction operation = AtOnce(instruction);
    const JudgedInstruction judged = {operation, operands, profile, RuleOf(operation, profile)};
    Judgement of_result = ResultJudge(judged, observer).Judge(want, got);
    if (of_result.not_exact > 0) AddInputs(judged, want, of_result.worst);
    return of_result;
  });
  if (judgement) return *std::move(judgement);
  if (judgement.error().code != ErrorCode::kLimit) throw EvaluationError{judgement.error()};
  Judgement undecided;
  undecided.verdict = Verdict::kWeak;
  undecided.reason = "a limit ended the judging: " + judgement.error().message;
  return undecided;
}

Judgement JudgeInstruction(const HloInstruction& instruction, const DeviceValues& operands, const Literal& want,
                           const Literal& got, const Profile& profile, const ElementObserver& observer) {
  return JudgeInstruction(instruction, std::span<const Literal>(Flat(operands)), want, got, profile, observer);
}

std::string ElementName(const Place& place, const Literal& leaf) {
  std::string name = "element ";
  for (const std::int64_t i : place.tuple_index) name += fmt::format("({})", i);
  std::vector<std::int64_t> index(leaf.shape().rank());
  std::int64_t rest = place.offset;
  for (std::int64_t d = leaf.shape().rank() - 1; d >= 0; --d) {
    index[d] = rest % leaf.shape().dimensions(d);
    rest /= leaf.shape().dimensions(d);
  }
  return name + fmt::format("[{}]", JoinText(index, ","));
}

std::vector<std::string> ExplainElement(const HloInstruction& instruction, const DeviceValues& operands,
                                        const Literal& want, const Place& place, const Profile& profile) {
  const HloInstruction operation = AtOnce(instruction);
  const std::vector<Literal> flat = Flat(operands);
  const JudgedInstruction judged = {operation, flat, profile, RuleOf(operation, profile)};
  return ResultJudge(judged).Explain(want, place);
}

Judgement CompareExactly(const Literal& want, const Literal& got) {
  Judgement judgement;
  if (HasOtherSizes(want.shape(), got.shape(), judgement)) return judgement;
  RecordLeaves(want, got, {}, judgement, [](const Literal&, const Literal&, const Place&) {
    return ElementVerdict{Verdict::kFail, "the operation is exact"};
  });
  return judgement;
}

}  // namespace assay
