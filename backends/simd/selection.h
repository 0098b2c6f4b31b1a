// compare and select of arrays with elements of 32 bits.
#pragma once

#include "backends/simd/kernels.h"

namespace assay::simd {

// Whether a comparison is by the total order of floats, which is the evaluator's.
bool IsTotalOrder(const HloInstruction& compare);

extern const Family kCompare;
extern const Family kSelect;

}  // namespace assay::simd
