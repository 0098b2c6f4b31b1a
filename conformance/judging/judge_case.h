// The verdict of a case, a module that tests its root.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "conformance/judging/instruction_values.h"
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

  // Judges as CompareModule does (JudgeRun), and by the rule of the root on the root's operands in the reference, but
  // without runs of single instructions. Returns WEAK if a limit ends the judging.
  Judgement Judge(const Profile& profile, const ElementObserver& observer = {});

 private:
  RememberingBackend backend_;
  const HloModule& module_;
  const DeviceValues& arguments_;
  const InstructionValues& reference_;
  const Literal& got_;
  const EvaluationLimits limits_;
};

// Judges under one profile.
Judgement JudgeCase(Backend& backend, const HloModule& module, const DeviceValues& arguments,
                    const InstructionValues& reference, const Literal& got, const Profile& profile,
                    const EvaluationLimits& limits = {}, const ElementObserver& observer = {});

}  // namespace assay
