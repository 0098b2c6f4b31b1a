// The second oracle: whether a profile allows a difference, by rules that are simpler than the judge's and share
// nothing with them on purpose. It sees distances in units of the last place and kinds of numbers, no bounds. What it
// excuses a judge may pass; what it does not excuse the judge has to find (misses.h).
#pragma once

#include <span>
#include <string>

#include "interpreter/acceptance/profile.h"
#include "interpreter/hlo/module.h"

namespace assay {

// Why the profile allows an instruction with these operands to return `got` for `want`; empty: it does not.
std::string ExcuseOf(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& want,
                     const Literal& got, const Profile& profile);

}  // namespace assay
