// Sets of arrays of which an instruction replaces a part (Trait::kReplacesPart). Such an instruction opens
// nothing in most profiles, and loops stack their results with one. The sets therefore change in place: an iteration
// costs no more than the part.
#pragma once

#include <optional>
#include <vector>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/profile.h"

namespace assay {

// True for an instruction that moves some elements of an array.
bool TakesPart(const HloInstruction& instruction);

// True if the result's set is that of operand 0 with the part replaced by operand 1, and no freedom that the profile
// opens makes it wider.
bool IsUpdateOfPart(const HloInstruction& instruction, const std::vector<ValueSet>& operands, const Profile& profile);

// Returns the result of an instruction for which IsUpdateOfPart is true. Overwrites buffers that are not shared.
ValueSet UpdatePart(const HloInstruction& instruction, std::vector<ValueSet> operands, SetEvaluation& evaluation);

}  // namespace assay
