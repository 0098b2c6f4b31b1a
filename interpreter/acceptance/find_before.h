// The instructions from which a value follows.
#pragma once

#include <functional>

#include "interpreter/hlo/module.h"

namespace assay {

// Returns an instruction for which `is_sought` holds among those from which a value follows, the value included; null
// if there is none. A call follows from its operands and from the roots of the computations that it calls.
const HloInstruction* FindBefore(const HloInstruction& value,
                                 const std::function<bool(const HloInstruction&)>& is_sought);
// True if a value follows from the result of an instruction, or is it.
bool FollowsFrom(const HloInstruction& value, const HloInstruction& instruction);

}  // namespace assay
