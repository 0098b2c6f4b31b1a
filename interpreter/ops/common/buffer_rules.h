// What custom calls may do with buffers, "b(f32[4])" in text.
#pragma once

#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"

namespace assay {

// The targets that move between arrays and buffers.
bool IsPinOrUnpin(const HloInstruction& custom_call);

// Pin, Unpin and CreateBuffer have the one form that they can have; for any other target each buffer among the operands
// goes on as one buffer of the result, and the other way round.
Status CheckBuffers(const HloInstruction& custom_call);

}  // namespace assay
