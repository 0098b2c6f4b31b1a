// The fast path on any CPU: the reference with vectorised kernels in the place of some of its own. Every instruction
// set that the machine has gives results within the same bounds (profile `simd`); results do not depend on threads.
#pragma once

#include <string_view>
#include <vector>

#include "interpreter/kernels/overrides.h"

namespace assay::simd {

// The ops that have kernels of their own, for some types at least, sorted. All others are the reference's.
const std::vector<std::string_view>& AcceleratedOps();

// The records that take the place of those of the table. They live as long as the program.
const OpOverrides& Overrides();

}  // namespace assay::simd
