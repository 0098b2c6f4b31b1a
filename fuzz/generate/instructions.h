// Random single instructions of any op, legal, with operands.
#pragma once

#include <span>
#include <vector>

#include "fuzz/generate/instruction_drawer.h"
#include "fuzz/generate/random.h"
#include "interpreter/hlo/op.h"

namespace assay::generate {

// Returns the ops that can be drawn: element-wise ones from their records, and those with a drawing function.
std::span<const Op* const> DrawableOps();

// Returns the attribute classes of a drawable op that some drawn instruction has.
const std::vector<AttributeClass>& ClassesDrawn(const Op& op);

// Draws an instruction; fails if the verifier rejects it.
Result<DrawnInstruction> TryDrawInstruction(Random& random, const Op& op, const DrawConstraints& constraints = {});
// Draws until an instruction is legal.
DrawnInstruction DrawInstruction(Random& random, const Op& op, const DrawConstraints& constraints = {});

}  // namespace assay::generate
