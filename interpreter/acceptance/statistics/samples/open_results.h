// Results that a specification leaves open.
#pragma once

#include "interpreter/acceptance/rule.h"
#include "interpreter/types/literal.h"

namespace assay {

// True if an instruction has other lawful results, far from the reference's, that rounding errors do not explain: an
// element that is the implementation's, another reading or order of a scatter or fold, rows that a sort cannot tell
// apart, or numbers that no text defines. May be true for a result that is not open.
bool IsLeftOpen(const JudgedInstruction& judged, const Literal& result);

// True if the profile treats numbers that are not finite in any way, and the result or an operand has one. A sample may
// meet such numbers where the reference has none.
bool AssumesFinite(const JudgedInstruction& judged, const Literal& result);

// Replaces numbers by NaNs, of which samples say nothing: complex ones that are not finite, and those that overflow
// where a compiler may keep a finite number.
void DropOpenNumbers(const HloInstruction& instruction, std::span<const Literal> operands, const Profile& profile,
                     Literal& result);

}  // namespace assay
