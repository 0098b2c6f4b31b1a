// How a fast path joins instructions of a module: into fusions, which anybody can still evaluate.
#pragma once

#include <span>
#include <string_view>

#include "interpreter/hlo/module.h"

namespace assay {

// A fusion takes it in, where it would be an operand.
bool IsScalarConstant(const HloInstruction& instruction);

// An operand that `is_cheap` says so of is computed anew for each of its users: each gets a copy of its own.
void GiveEachUserItsOwn(HloComputation& computation,
                        bool (*is_cheap)(const HloInstruction& operand, const HloInstruction& user));

// Moves the members, of which `root` is one, into a computation "PREFIX.COMPUTATION.ROOT", and puts a fusion that calls
// it in the root's place. Nobody but members takes the others. What they take from outside are the fusion's operands.
HloInstruction& MoveIntoFusion(HloInstruction& root, std::span<HloInstruction* const> members, std::string_view prefix);

}  // namespace assay
