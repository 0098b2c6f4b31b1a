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

// Replaces complex numbers that are not finite by NaNs, of which samples say nothing. With a seed that is not 0, real
// numbers that overflow where a compiler may keep a finite number become large ones at random: what follows is the same
// in all runs only if it depends on neither.
void VaryOpenNumbers(const HloInstruction& instruction, std::span<const Literal> operands, const Profile& profile,
                     std::uint64_t seed, Literal& result);

// Gives NaNs either sign and any payload at random, and zeros either sign if the profile ignores it: an order of all
// bit patterns tells the NaNs apart, and an arctangent of two arguments differs by pi for the zeros. Instructions that
// only move numbers keep them.
void VaryOpenSigns(const HloInstruction& instruction, const Profile& profile, std::uint64_t seed, Literal& result);

}  // namespace assay
