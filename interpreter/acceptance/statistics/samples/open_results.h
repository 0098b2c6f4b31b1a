// Results that a specification leaves open.
#pragma once

#include "interpreter/acceptance/rule.h"
#include "interpreter/types/literal.h"

namespace assay {

// True if an instruction has other lawful results, far from the reference's, that rounding errors do not explain: an
// element that is the implementation's, another reading or order of a scatter or fold, rows that a sort cannot tell
// apart, or numbers that no text defines. May be true for a result that is not open.
bool IsLeftOpen(const JudgedInstruction& judged, const Literal& result);

// True if the result is open because numbers are not finite: complex ones, or any if the profile says so. A sample may
// meet such numbers where the reference has none.
bool HasOpenInfinity(const JudgedInstruction& judged, const Literal& result);

}  // namespace assay
