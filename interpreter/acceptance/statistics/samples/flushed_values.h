// Constants and reciprocals that are flushed: samples show what follows from them.
#pragma once

#include "interpreter/acceptance/rule.h"
#include "interpreter/types/literal.h"

namespace assay {

// The evaluator hands on constants as they are. An instruction may flush a subnormal one.
void FlushConstants(const JudgedInstruction& judged, Literal& result);
// A quotient may be a product with a reciprocal that is flushed.
void FlushReciprocals(const JudgedInstruction& judged, Literal& result);

}  // namespace assay
