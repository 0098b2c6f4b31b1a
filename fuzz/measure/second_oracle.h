// The second oracle of allowed differences. Its rules are simpler than the judge's and deliberately share no code with
// them: it uses distances in units of the last place and kinds of numbers, no bounds. The judge may pass a difference
// that the oracle excuses, and must find any other (mutation_score.h).
#pragma once

#include <span>
#include <string>

#include "interpreter/acceptance/profile.h"
#include "interpreter/hlo/module.h"

namespace assay {

// Returns the reason why the profile allows an instruction with these operands to return `got` for `want`; empty if it
// does not.
std::string FreedomExplaining(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& want,
                              const Literal& got, const Profile& profile);

}  // namespace assay
