// Fuses element-wise instructions, so that intermediate values stay in the cache.
#pragma once

#include "backends/simd/kernels.h"
#include "interpreter/hlo/module.h"

namespace assay::simd {

// Returns false only if Fuse would leave the module as it is.
bool MayFuse(const HloModule& module);

// Moves each element-wise instruction into the fusion of its users, if all of them are in one. The module computes the
// same values.
void Fuse(HloModule& module);

extern const Family kFusion;

}  // namespace assay::simd
