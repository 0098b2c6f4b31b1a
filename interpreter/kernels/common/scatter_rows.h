// The sums of a scatter whose windows are rows: adjacent elements of both arrays.
#pragma once

#include "interpreter/kernels/common/scatter_updates.h"

namespace assay {

// Sorts the windows by their place in the operand, and adds them to the result, each element of which becomes the sum
// of its own value and all its updates, rounded once. Returns false, without a change of the result, if the windows are
// no rows, or short ones, or overlap in part.
bool SumRowsExactly(ScatterWindows& windows, const Literal& update, Literal& result);

}  // namespace assay
