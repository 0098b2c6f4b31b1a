// Faults planted in modules of moderate size, for measuring reductions.
#pragma once

#include <cstdint>
#include <optional>

#include "backends/mutant/mutant.h"
#include "fuzz/generate/modules.h"

namespace assay {

// Draws a random module for one device, of `draws` draws, on which the mutant's result differs from the reference's.
// Returns nothing if none was found: some faults show in few modules.
std::optional<generate::DrawnModule> DrawPlanted(const Mutant& mutant, std::int64_t draws, std::uint64_t seed);

}  // namespace assay
