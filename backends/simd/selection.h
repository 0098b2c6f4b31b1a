// Compare and select of arrays with elements of 32 bits.
#pragma once

#include "backends/simd/kernels.h"

namespace assay::simd {

// True if the comparison uses the total order of floats, which the evaluator computes.
bool IsTotalOrder(const HloInstruction& compare);

extern const Family kCompare;
extern const Family kSelect;

}  // namespace assay::simd
