// The verdict of a case: a module that is about its root.
#pragma once

#include "backends/backend.h"
#include "conformance/judging/compare.h"
#include "conformance/judging/remembering_backend.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/per_device.h"

namespace assay {

// Judges what a module returned, under any number of profiles. The backend is asked once for what it has on the way.
class CaseJudge {
 public:
  // All arguments but the limits must outlive this.
  CaseJudge(Backend& backend, const HloModule& module, const DeviceValues& arguments,
            const InstructionValues& reference, const Literal& got, const EvaluationLimits& limits = {})
      : backend_(backend), module_(module), arguments_(arguments), reference_(reference), got_(got), limits_(limits) {}

  // By the rule of the root, on the operands that the root has in the reference. If the rule says FAIL or WEAK and more
  // than the root decides the result, the set of the whole program decides, where it has one. The backend's own values
  // (own_values.h) decide a program that the set leaves WEAK. WEAK where a limit ends this.
  Judgement Judge(const Profile& profile, const ElementObserver& observer = {});

 private:
  // The verdict of a program whose set decides nothing.
  Judgement JudgeOpenSet(const Profile& profile, const Judgement& by_rule, Judgement by_set);

  RememberingBackend backend_;
  const HloModule& module_;
  const DeviceValues& arguments_;
  const InstructionValues& reference_;
  const Literal& got_;
  const EvaluationLimits limits_;
};

// The same under one profile.
Judgement JudgeCase(Backend& backend, const HloModule& module, const DeviceValues& arguments,
                    const InstructionValues& reference, const Literal& got, const Profile& profile,
                    const EvaluationLimits& limits = {}, const ElementObserver& observer = {});

}  // namespace assay
