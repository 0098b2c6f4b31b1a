// The instructions from which a value follows.
#pragma once

#include <functional>

#include "interpreter/hlo/module.h"

namespace assay {

// Returns an instruction for which `is_sought` holds among those from which a value follows, the value included; null
// if there is none. All instructions of a called computation count as followed by the call.
const HloInstruction* FindBefore(const HloInstruction& value,
                                 const std::function<bool(const HloInstruction&)>& is_sought);

}  // namespace assay
