// Instructions whose results have fewer digits than they might.
#pragma once

#include "interpreter/acceptance/profile.h"
#include "interpreter/hlo/module.h"

namespace assay {

// True if the sums of an instruction may be as narrow as their type.
bool MayBeNarrowSum(const HloInstruction& instruction, const Profile& profile);

// True for a rounding to fewer digits, which a compiler may omit, while most runs with an error round to one number.
bool Narrows(const HloInstruction& instruction);

}  // namespace assay
