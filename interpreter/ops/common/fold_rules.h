// The only decision how elements are folded by a computation, for reduce, reduce-window, select-and-scatter, scatter,
// all-reduce and reduce-scatter. Definitions and kernels share it.
#pragma once

#include "interpreter/hlo/module.h"

namespace assay {

// True if the computation adds floating or complex numbers: each of its N results is the sum of parameters i and N + i,
// all of one type. Such a fold is N exact sums, each rounded once (docs/sums.md). Any other fold applies the
// computation step by step, in row-major order of the elements.
bool IsExactSum(const HloComputation& to_apply);

}  // namespace assay
