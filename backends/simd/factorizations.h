// Cholesky and triangular-solve of real matrices.
#pragma once

#include "backends/simd/kernels.h"

namespace assay::simd {

extern const Family kCholesky;
extern const Family kTriangularSolve;

}  // namespace assay::simd
