// The verdict of a case: a module that is about its root.
#pragma once

#include "backends/backend.h"
#include "conformance/judging/compare.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/device_values.h"

namespace assay {

// Judges what a module returned by the rule of its root, on the operands that the root has in the reference. If the
// rule says FAIL and more than the root decides the result, the set of the whole program decides, where it has one;
// what the set leaves WEAK is still FAIL if an instruction is wrong on the backend's own values (own_values.h).
Judgement JudgeCase(Backend& backend, const HloModule& module, const DeviceValues& arguments,
                    const InstructionValues& reference, const Literal& got, const Profile& profile,
                    const EvaluationLimits& limits = {}, const ElementObserver& observer = {});

}  // namespace assay
