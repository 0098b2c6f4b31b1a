// Folds of one element: an implementation may insert the initial value any number of times, also none.
#pragma once

#include <span>

#include "interpreter/acceptance/ops/op_acceptance.h"

namespace assay {

// Returns the reading of a reduction, or of windows, by which the result is the element itself. None if more elements
// than one are folded: a tree with several leaves is no copy, and no compiler is known that drops an initial value
// there. Implements SpecificationGap::other_readings.
std::span<const EvaluateFunction> ReadingsOfFoldOfOne(const HloInstruction& fold);

}  // namespace assay
