// Faults planted in modules of some size: what a reduction is measured with.
#pragma once

#include <cstdint>
#include <optional>

#include "backends/mutant/mutant.h"
#include "generate/modules.h"

namespace assay {

// A random module for one device, of so many draws, on which the mutant does not give what the reference gives. Nothing
// where none was found: some faults show in few modules.
std::optional<generate::DrawnModule> DrawPlanted(const Mutant& mutant, std::int64_t draws, std::uint64_t seed);

}  // namespace assay
