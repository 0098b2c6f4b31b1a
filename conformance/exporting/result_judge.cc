#include "conformance/exporting/result_judge.h"

#include <algorithm>

#include "conformance/judging/judge_case.h"
#include "conformance/judging/judged_alone.h"
#include "interpreter/acceptance/sets/program_sets.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

// A backend that declines every module.
class NoBackend : public Backend {
 public:
  const BackendDescription& description() const override { return description_; }
  Result<std::unique_ptr<Executable>> Compile(const HloModule&) override {
    return Error{ErrorCode::kUnsupported, "no backend"};
  }

 private:
  BackendDescription description_;
};

void NumberElements(const Literal& value, std::vector<std::int64_t>& index,
                    std::map<std::vector<std::int64_t>, std::size_t>& first, std::size_t& count) {
  if (value.shape().IsArray()) {
    first[index] = count;
    count += static_cast<std::size_t>(value.element_count());
    return;
  }
  for (std::size_t i = 0; i < value.elements().size(); ++i) {
    index.push_back(static_cast<std::int64_t>(i));
    NumberElements(value.elements()[i], index, first, count);
    index.pop_back();
  }
}

}  // namespace

std::vector<const Literal*> ArraysIn(const Literal& value) {
  std::vector<const Literal*> arrays;
  if (value.shape().IsArray()) arrays.push_back(&value);
  for (const Literal& element : value.elements()) std::ranges::move(ArraysIn(element), std::back_inserter(arrays));
  return arrays;
}

std::vector<Literal*> MutableArraysIn(Literal& value) {
  std::vector<Literal*> arrays;
  if (value.shape().IsArray()) arrays.push_back(&value);
  for (Literal& element : value.mutable_elements()) {
    std::ranges::move(MutableArraysIn(element), std::back_inserter(arrays));
  }
  return arrays;
}

ResultJudge::ResultJudge(const HloModule& module, const DeviceValues& arguments, const InstructionValues& reference,
                         const Profile& profile, const EvaluationLimits& limits)
    : module_(module),
      arguments_(arguments),
      reference_(reference),
      profile_(profile),
      limits_(limits),
      is_program_(IsProgram(module)) {
  std::vector<std::int64_t> index;
  NumberElements(reference.want, index, first_, count_);
}

std::vector<Verdict> ResultJudge::JudgeBy(const std::function<void(const ElementObserver&)>& judge) const {
  std::vector<Verdict> verdicts(count_, Verdict::kExact);
  judge([&](const Place& place, Verdict verdict, std::string_view) {
    verdicts[first_.at(place.tuple_index) + static_cast<std::size_t>(place.offset)] = verdict;
  });
  return verdicts;
}

const Result<ValueSet>& ResultJudge::Set() {
  if (!set_) {
    EvaluationOptions evaluation;
    evaluation.limits = limits_;
    set_ = WithoutThrowing([&] { return EvaluateSets(module_, arguments_[0], profile_, evaluation); });
  }
  return *set_;
}

std::vector<Verdict> ResultJudge::Judge(const Literal& got) {
  const HloInstruction& root = *module_.entry->root;
  std::vector<Verdict> verdicts = JudgeBy([&](const ElementObserver& observer) {
    (void)JudgeInstruction(root, reference_.operands, reference_.want, got, profile_, observer);
  });
  const auto is_open = [&](Verdict verdict) {
    return verdict == Verdict::kWeak || (verdict == Verdict::kFail && is_program_);
  };
  if (arguments_.size() != 1 || std::ranges::none_of(verdicts, is_open) || !Set()) return verdicts;
  const std::vector<Verdict> by_set =
      JudgeBy([&](const ElementObserver& observer) { (void)JudgeBySet(*Set(), got, observer); });
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    if (!is_open(verdicts[i])) continue;
    needs_own_values_ |= is_program_ && by_set[i] == Verdict::kWeak;
    verdicts[i] = by_set[i];
  }
  return verdicts;
}

Verdict ResultJudge::JudgeWhole(const Literal& got) const {
  NoBackend backend;
  return JudgeCase(backend, module_, arguments_, reference_, got, profile_, limits_).verdict;
}

}  // namespace assay
