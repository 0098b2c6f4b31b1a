// Reduce-window whose computation is one element-wise instruction.
#pragma once

#include "backends/simd/kernels.h"

namespace assay::simd {

extern const Family kReduceWindow;

}  // namespace assay::simd
