// How wide a set is, and which instruction made it so.
#pragma once

#include <span>

#include "interpreter/acceptance/ops/value_set.h"

namespace assay {

// Writes ValueSet::width and ::widest of an instruction's result. Of the operands it reads these two, and of those that
// are added up the values.
void FindWidth(const HloInstruction& instruction, std::span<const ValueSet> operands, ValueSet& set);

}  // namespace assay
