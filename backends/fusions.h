// Groups instructions of a module into fusions for a fast path. Any backend can still evaluate the result.
#pragma once

#include <span>
#include <string_view>

#include "interpreter/hlo/module.h"

namespace assay {

// True for a scalar constant. A fusion copies such an operand into its computation.
bool IsScalarConstant(const HloInstruction& instruction);

// Gives each user its own copy of every operand for which `is_cheap` is true.
void GiveEachUserItsOwn(HloComputation& computation,
                        bool (*is_cheap)(const HloInstruction& operand, const HloInstruction& user));

// Moves the members, of which `root` is one, into a computation "PREFIX.COMPUTATION.ROOT", and replaces the root with a
// fusion that calls it. Only members may use the members other than the root. Their operands from outside become the
// fusion's operands.
HloInstruction& MoveIntoFusion(HloInstruction& root, std::span<HloInstruction* const> members, std::string_view prefix);

}  // namespace assay
