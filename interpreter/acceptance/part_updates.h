// Sets of arrays that an instruction replaces a part of (OpAcceptance::replaces_part). Such an instruction opens
// nothing in most profiles, and a loop stacks its results by one: the sets change in place, so that an iteration costs
// no more than the part.
#pragma once

#include <optional>
#include <vector>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/profile.h"

namespace assay {

// True if the result's set is that of operand 0 with the part of operand 1 in it, and no freedom that the profile opens
// makes it wider.
bool IsUpdateOfPart(const HloInstruction& instruction, const std::vector<ValueSet>& operands, const Profile& profile);

// The result of an instruction for which IsUpdateOfPart is true. Buffers that nothing else shares are overwritten.
ValueSet UpdatePart(const HloInstruction& instruction, std::vector<ValueSet> operands, SetEvaluation& evaluation);

}  // namespace assay
