#include "conformance/judging/judge_case.h"

#include <algorithm>

#include "conformance/judging/computation_values.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/sets/program_sets.h"
#include "interpreter/acceptance/statistics/samples/judge_by_samples.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

// Returns a judgement of the same elements with another verdict.
Judgement Replaced(Judgement judgement, Verdict verdict, std::string reason) {
  judgement.verdict = verdict;
  judgement.reason = std::move(reason);
  judgement.tallies = {{verdict, judgement.reason, judgement.not_exact}};
  return judgement;
}

}  // namespace

bool IsProgram(const HloModule& module) {
  const HloInstruction& root = *module.entry->root;
  if (root.op->role == OpRole::kCall || AcceptanceOf(root).walk != nullptr) return true;
  return std::ranges::any_of(LiveInstructions(*module.entry), [&](const HloInstruction* instruction) {
    return instruction != &root && DoesWork(*instruction);
  });
}

Judgement CaseJudge::Judge(const Profile& profile, const ElementObserver& observer) {
  Judgement by_rule =
      JudgeInstruction(*module_.entry->root, reference_.operands, reference_.want, got_, profile, observer);
  const bool is_settled = by_rule.verdict == Verdict::kExact || by_rule.verdict == Verdict::kSpecGap;
  if (is_settled || arguments_.size() != 1) return by_rule;
  const bool is_lawful = by_rule.verdict == Verdict::kLegal;
  const bool is_program = !is_lawful && IsProgram(module_);
  if (by_rule.verdict == Verdict::kFail && !is_program) return by_rule;
  EvaluationOptions evaluation;
  evaluation.limits = limits_;
  Result<Judgement> by_program = WithoutThrowing([&]() -> Result<Judgement> {
    ASSAY_TRY(const ValueSet set, EvaluateSets(module_, arguments_[0], profile, evaluation));
    Judgement by_set = JudgeBySet(set, got_);
    if (!is_program) return by_set.verdict == Verdict::kFail ? by_set : by_rule;
    if (by_set.verdict == Verdict::kLegal || by_set.verdict == Verdict::kWeak) {
      return JudgeOpenSet(profile, by_rule, std::move(by_set));
    }
    // Another instruction may be wrong on the values that the specification leaves open.
    if (by_set.verdict == Verdict::kSpecGap && by_set.reason != kOpenFold) {
      const auto own = OnOwnValues(profile);
      const bool is_wrong = own && own->leads_to_result && own->verdict == Verdict::kFail;
      return is_wrong ? Replaced(std::move(by_set), own->verdict, own->reason) : by_set;
    }
    const bool are_both_wrong = by_set.verdict == Verdict::kFail && by_rule.verdict == Verdict::kFail;
    return are_both_wrong ? by_rule : by_set;
  });
  if (by_program) return *std::move(by_program);
  const bool needs_set = !is_lawful && (is_program || !IsFailure(by_rule.verdict));
  if (by_program.error().code == ErrorCode::kLimit && needs_set) {
    by_rule.verdict = Verdict::kWeak;
    by_rule.reason = "a limit ended the judging: " + by_program.error().message;
  }
  return by_rule;
}

Judgement CaseJudge::JudgeOpenSet(const Profile& profile, const Judgement& by_rule, Judgement by_set) {
  const std::string suspect =
      Samples(module_, arguments_, reference_.want, got_, profile, limits_).Find(SampleQuestion::kAreSuspect).suspect;
  if (suspect.empty() && by_set.verdict == Verdict::kLegal) return by_set;
  const auto own = OnOwnValues(profile, suspect.empty() ? Verdict::kExact : Verdict::kSuspect);
  Judgement open = by_rule.verdict == Verdict::kWeak ? by_rule : std::move(by_set);
  if (!own || !own->leads_to_result || own->verdict == Verdict::kWeak) {
    return suspect.empty() ? open : Replaced(std::move(open), Verdict::kSuspect, suspect);
  }
  if (own->verdict == Verdict::kFail && by_rule.verdict == Verdict::kFail) return by_rule;
  const bool is_lawful = own->verdict <= Verdict::kLegal;
  return Replaced(std::move(open), is_lawful ? Verdict::kLegal : own->verdict,
                  is_lawful ? std::string(kLawfulOnOwnValues) : own->reason);
}

std::optional<OwnValuesReport> CaseJudge::OnOwnValues(const Profile& profile, Verdict of_outputs) {
  ModuleReport report;
  report.verdict = of_outputs;
  return JudgeSelfConsistency(backend_, module_, arguments_[0], got_, {.profile = profile, .limits = limits_}, report);
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
