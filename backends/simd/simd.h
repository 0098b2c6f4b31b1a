// The fast path on any CPU: the reference with vectorized kernels for some ops. The results of all instruction sets are
// within the same bounds (profile `simd`) and do not depend on threads.
#pragma once

#include <string_view>
#include <vector>

#include "interpreter/hlo/overrides.h"

namespace assay::simd {

// Returns the ops that have their own kernels for at least some types, sorted. The reference computes all others.
const std::vector<std::string_view>& AcceleratedOps();

// Returns the records that replace those of the op table. They live as long as the program.
const OpOverrides& Overrides();

}  // namespace assay::simd
