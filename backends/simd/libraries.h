// FFT by FFTW and sort by Highway's vqsort.
#pragma once

#include "backends/simd/kernels.h"

namespace assay::simd {

extern const Family kFft, kSort;

}  // namespace assay::simd
