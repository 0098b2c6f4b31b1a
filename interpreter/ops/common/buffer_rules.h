// The rules for buffers, "b(f32[4])" in text, in custom calls.
#pragma once

#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"

namespace assay {

// True for the targets that convert between arrays and buffers.
bool IsPinOrUnpin(const HloInstruction& custom_call);

// Checks the form of Pin, Unpin and CreateBuffer. For any other target, checks that each buffer of the operands aliases
// one buffer of the result, and the reverse.
Status CheckBuffers(const HloInstruction& custom_call);

}  // namespace assay
