// Computations of scalars, applied to all elements of arrays at once.
#pragma once

#include <cstdint>
#include <memory>

#include "interpreter/hlo/module.h"

namespace assay {

// Returns a module whose entry does to each of `count` elements what a computation does to scalars; null unless every
// instruction of it is element-wise.
std::unique_ptr<HloModule> OnArrays(const HloComputation& computation, std::int64_t count);

}  // namespace assay
