// The verdict of a case, a module that tests its root.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "conformance/judging/instruction_values.h"
#include "conformance/judging/self_consistency.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/per_device.h"

namespace assay {

// A backend that caches results, for a caller that makes the same request several times.
// Compiles and runs a module once for each of its texts and inputs. Not thread-safe.
class RememberingBackend final : public Backend {
 public:
  // `backend` must outlive this object, and this object its executables.
  explicit RememberingBackend(Backend& backend) : backend_(backend) {}

  const BackendDescription& description() const override { return backend_.description(); }
  // Always succeeds. The executable reports errors of the compiler.
  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override;

 private:
  struct Run {
    DeviceValues inputs;
    Result<PerDevice<Literal>> outputs;
  };
  class Remembered;

  Backend& backend_;
  std::map<std::string, std::vector<Run>> runs_;  // by the text of the module
};

// Judges what a module returned, under any number of profiles. The backend computes its intermediate values only once.
class CaseJudge {
 public:
  // All arguments but the limits must outlive this.
  CaseJudge(Backend& backend, const HloModule& module, const DeviceValues& arguments,
            const InstructionValues& reference, const Literal& got, const EvaluationLimits& limits = {})
      : backend_(backend), module_(module), arguments_(arguments), reference_(reference), got_(got), limits_(limits) {}

  // Judges by the rule of the root, on the root's operands in the reference. If that gives FAIL or WEAK and the root
  // alone does not decide the result, the set of the whole program decides, if it has one. If the set gives WEAK, the
  // backend's own values (self_consistency.h) decide; if it gives SPEC-GAP, they may still prove FAIL. A result that
  // the rule admits and the set excludes is FAIL. Returns WEAK if a limit ends the judging.
  Judgement Judge(const Profile& profile, const ElementObserver& observer = {});

 private:
  // Returns the verdict of a program that its set leaves undecided.
  Judgement JudgeOpenSet(const Profile& profile, const Judgement& by_rule, Judgement by_set);
  std::optional<OwnValuesReport> OnOwnValues(const Profile& profile, Verdict of_outputs = Verdict::kExact);

  RememberingBackend backend_;
  const HloModule& module_;
  const DeviceValues& arguments_;
  const InstructionValues& reference_;
  const Literal& got_;
  const EvaluationLimits limits_;
};

// True if the root alone does not decide the result: it has computed operands, or it calls computations.
bool IsProgram(const HloModule& module);

// Judges under one profile.
Judgement JudgeCase(Backend& backend, const HloModule& module, const DeviceValues& arguments,
                    const InstructionValues& reference, const Literal& got, const Profile& profile,
                    const EvaluationLimits& limits = {}, const ElementObserver& observer = {});

}  // namespace assay
