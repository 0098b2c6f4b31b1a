// Run-time sizes that real numbers decide.
#pragma once

#include "interpreter/hlo/module.h"

namespace assay {

// True if a run-time size depends on computed real numbers, for example on s32 convert(f32 divide(x, x)): a lawful
// evaluation may round them differently. A value that depends on the parameters of a called computation counts if the
// module has real numbers at all.
bool DoRealNumbersDecideSizes(const HloModule& module);

}  // namespace assay
