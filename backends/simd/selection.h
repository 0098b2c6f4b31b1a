// compare and select of arrays with elements of 32 bits.
#pragma once

#include "backends/simd/kernels.h"

namespace assay::simd {

extern const Family kCompare;
extern const Family kSelect;

}  // namespace assay::simd
