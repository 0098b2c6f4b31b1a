// Programs around the instructions of a miscompilation or a lawful rewrite (miscompilations.h).
#pragma once

#include <cstdint>
#include <string_view>

#include "fuzz/generate/modules.h"
#include "fuzz/miscompilations.h"

namespace assay {

// The instruction that names an operand of the pattern, and the result.
enum class Naming { kCopy, kReshape };

// Draws a program around `instructions`, which are the pattern's `right` or `rewritten`: with the same seed, only they
// differ. The arguments are of the kinds that the pattern names. The program is legal by construction.
generate::DrawnModule DrawPatternProgram(const Miscompilation& pattern, std::string_view instructions,
                                         std::uint64_t seed, Naming naming = Naming::kCopy);

}  // namespace assay
