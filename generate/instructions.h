// One instruction of any op, drawn at random: legal, with operands.
#pragma once

#include <span>
#include <vector>

#include "generate/draft.h"
#include "generate/random.h"
#include "interpreter/hlo/op.h"

namespace assay::generate {

// The ops that can be drawn: the element-wise ones, by their records, and those that have a drawing function.
std::span<const Op* const> DrawableOps();

// The classes of a drawable op's attributes that some drawn instruction has.
const std::vector<AttributeClass>& ClassesDrawn(const Op& op);

// An error where what was drawn is refused by the verifier.
Result<DrawnInstruction> TryDrawInstruction(Random& random, const Op& op, const Wishes& wishes = {});
// Draws until one is legal.
DrawnInstruction DrawInstruction(Random& random, const Op& op, const Wishes& wishes = {});

}  // namespace assay::generate
