// The operands and results of instructions in the reference.
#pragma once

#include <map>
#include <set>

#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/per_device.h"

namespace assay {

struct InstructionValues {
  DeviceValues operands;
  Literal want;  // in the form of OfAllDevices
};
// Evaluates the root of a module.
Result<InstructionValues> EvaluateRoot(const HloModule& module, const DeviceValues& arguments,
                                       const EvaluationLimits& limits);
// Evaluates some of the entry's instructions. An instruction that does not depend on the device has the values of
// device 0 only.
Result<std::map<const HloInstruction*, InstructionValues>> EvaluateInstructions(
    const HloModule& module, const DeviceValues& arguments, const EvaluationLimits& limits,
    const std::set<const HloInstruction*>& instructions);

}  // namespace assay
