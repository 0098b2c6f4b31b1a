#include "conformance/judging/judge_case.h"

#include <algorithm>
#include <utility>

#include "conformance/judging/module_judge.h"
#include "interpreter/hlo/printer.h"

namespace assay {

Judgement CaseJudge::Judge(const Profile& profile, const ElementObserver& observer) {
  const CompareOptions options = {
      .profile = profile, .limits = limits_, .judging = {.seconds = 0}, .cuts_module = false, .on_element = observer};
  const ModuleRun run = {backend_, module_, arguments_, reference_.want, got_, &reference_.operands};
  Result<ModuleReport> judged = JudgeRun(run, options, {});
  Judgement judgement;
  if (!judged) {
    // An error of judging is no verdict on the backend.
    if (judged.error().code != ErrorCode::kLimit) throw EvaluationError{judged.error()};
    judgement.verdict = Verdict::kWeak;
    judgement.reason = "a limit ended the judging: " + judged.error().message;
    return judgement;
  }
  judgement = std::move(judged->outputs);
  if (judgement.verdict == judged->verdict && judgement.reason == judged->reason) return judgement;
  judgement.verdict = judged->verdict;
  judgement.reason = std::move(judged->reason);
  judgement.tallies = {{judgement.verdict, judgement.reason, judgement.not_exact}};
  return judgement;
}

Judgement JudgeCase(Backend& backend, const HloModule& module, const DeviceValues& arguments,
                    const InstructionValues& reference, const Literal& got, const Profile& profile,
                    const EvaluationLimits& limits, const ElementObserver& observer) {
  return CaseJudge(backend, module, arguments, reference, got, limits).Judge(profile, observer);
}

namespace {

bool AreEqual(const std::vector<Literal>& a, const std::vector<Literal>& b) {
  return std::ranges::equal(a, b, [](const Literal& x, const Literal& y) { return x.BitwiseEqual(y); });
}

bool AreEqual(const DeviceValues& a, const DeviceValues& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return AreEqual(x, y); });
}

}  // namespace

// Compiles the module on its first run whose outputs are not cached.
class RememberingBackend::Remembered final : public Executable {
 public:
  Remembered(Backend& backend, const HloModule& module, std::vector<RememberingBackend::Run>& runs)
      : backend_(backend), module_(module), runs_(runs) {}

  Result<PerDevice<Literal>> Run(const DeviceValues& inputs) override {
    const auto known = std::ranges::find_if(runs_, [&](const auto& run) { return AreEqual(run.inputs, inputs); });
    if (known != runs_.end()) return known->outputs;
    if (executable_ == nullptr) {
      ASSAY_TRY(executable_, backend_.Compile(module_));
    }
    runs_.push_back({inputs, executable_->Run(inputs)});
    return runs_.back().outputs;
  }

 private:
  Backend& backend_;
  const HloModule& module_;
  std::vector<RememberingBackend::Run>& runs_;
  std::unique_ptr<Executable> executable_;
};

Result<std::unique_ptr<Executable>> RememberingBackend::Compile(const HloModule& module) {
  std::vector<RememberingBackend::Run>& runs = runs_[PrintHloModule(module, PrintOptions::Exact())];
  return std::unique_ptr<Executable>(std::make_unique<Remembered>(backend_, module, runs));
}

}  // namespace assay
