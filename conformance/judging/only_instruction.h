// Judges a module of one instruction by the rule of the instruction, beside its set.
#pragma once

#include <optional>

#include "interpreter/acceptance/judge.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/per_device.h"

namespace assay {

// Returns the judgement by the rule of the root, whose operands are arguments and constants; nothing for other modules.
// A set is wider in some ways: it does not say that the rows of a sort are a permutation of its operands' rows.
std::optional<Judgement> JudgeOnlyInstruction(const HloModule& module, const DeviceValues& arguments,
                                              const Literal& want, const Literal& got, const Profile& profile,
                                              const ElementObserver& observer);

}  // namespace assay
