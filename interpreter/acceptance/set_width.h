// The width of a set, and the instruction that widened it.
#pragma once

#include <span>

#include "interpreter/acceptance/ops/value_set.h"

namespace assay {

// Writes ValueSet::width and ::widest of an instruction's result. Reads only these two members of the operands and, for
// operands that are added up, their values.
void FindWidth(const HloInstruction& instruction, std::span<const ValueSet> operands, ValueSet& set);

}  // namespace assay
