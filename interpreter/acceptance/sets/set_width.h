// The width of a set, and the instruction that widened it.
#pragma once

#include <span>

#include "interpreter/acceptance/ops/value_set.h"

namespace assay {

// Returns the number to which the width of an array's set is relative: the reference's largest one, or a larger one
// that cancelled on the way.
double ScaleOf(const ValueSet& set);

// Writes ValueSet::width and ::widest of an instruction's result, and marks the result of an open choice among elements
// (OpAcceptance::selectors) as undecided. Reads only the sets of selectors, the widths of the other operands and, for
// operands that are added up, their values.
void FindWidth(const HloInstruction& instruction, std::span<const ValueSet> operands, ValueSet& set);

// Does the same for the result of an instruction that calls computations: it opens an array only by choosing. If it has
// as many results as operands, as a sort, each is a choice among the elements of its own operand.
void FindWidthOfChoices(const HloInstruction& instruction, std::span<const ValueSet> operands, ValueSet& set);

}  // namespace assay
