// While loops over small arrays, without the evaluator's bookkeeping.
#pragma once

#include "backends/simd/kernels.h"
#include "interpreter/kernels/loops/loop_bodies.h"

namespace assay::simd {

extern const Family kLoops;

// Returns the bodies of the steps of loops.
LoopBodies BodiesOfLoops(const OpOverrides& overrides);

}  // namespace assay::simd
