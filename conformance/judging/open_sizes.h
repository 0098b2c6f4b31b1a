// Run-time sizes that the specification leaves open: real numbers decide them, or a declared shape hides them.
#pragma once

#include "interpreter/hlo/module.h"

namespace assay {

// True if a run-time size depends on computed real numbers, for example on s32 convert(f32 divide(x, x)): a lawful
// evaluation may round them differently. A value that depends on the parameters of a called computation counts if the
// module has real numbers at all.
bool DoRealNumbersDecideSizes(const HloModule& module);

// Returns an instruction that a value depends on, or the value itself, whose declared shape has a static dimension that
// has a run-time size by its operands; null if there is none. XLA accepts `s32[4] negate(s32[<=4] x)`; no specification
// defines which elements count then.
const HloInstruction* FindHiddenSize(const HloInstruction& value);

}  // namespace assay
