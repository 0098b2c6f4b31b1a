// Joins element-wise instructions into fusions, so that what passes between them never leaves the cache.
#pragma once

#include "backends/simd/kernels.h"
#include "interpreter/hlo/module.h"

namespace assay::simd {

// Puts an element-wise instruction whose users are all in one fusion into it too. Nothing else changes: the module
// computes the same.
void Fuse(HloModule& module);

extern const Family kFusion;

}  // namespace assay::simd
