// The instructions that can be judged alone, and the modules that have one correct result.
#pragma once

#include <optional>

#include "interpreter/acceptance/judge.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/per_device.h"

namespace assay {

// True if every value of the module has exactly one correct result: nothing is rounded and nothing is left open.
bool IsDetermined(const HloModule& module);

// True if an instruction can run and be judged alone; the end of an asynchronous pair runs with its start. False if it
// only passes a value on, which is judged through its users, or if an operand is not an array.
bool IsJudgedAlone(const HloInstruction& instruction);

// Returns the judgement by the rule of the root, whose operands are arguments and constants; nothing for other modules.
// A set is wider in some ways: it does not say that the rows of a sort are a permutation of its operands' rows.
std::optional<Judgement> JudgeOnlyInstruction(const HloModule& module, const DeviceValues& arguments,
                                              const Literal& want, const Literal& got, const Profile& profile,
                                              const ElementObserver& observer);

}  // namespace assay
