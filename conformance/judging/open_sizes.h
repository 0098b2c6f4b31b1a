// Run-time sizes that real numbers decide.
#pragma once

#include "interpreter/hlo/module.h"

namespace assay {

// Whether a size at run time follows from real numbers, whose roundings may be others in a lawful evaluation: from
// s32 convert(f32 divide(x, x)), say. What a called computation makes of its parameters counts if the module has real
// numbers at all.
bool DoRealNumbersDecideSizes(const HloModule& module);

}  // namespace assay
