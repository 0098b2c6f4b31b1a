// Programs around the instructions of a rewrite (rewrite_table.h).
#pragma once

#include <cstdint>
#include <string_view>

#include "fuzz/generate/modules.h"
#include "fuzz/rewrite_table.h"

namespace assay {

// The instruction that names an operand of the pattern, and the result.
enum class Naming { kCopy, kReshape };

// Draws a program around `computation` of a row, which is `given` or `compiled`: with the same seed, only their
// instructions differ. The arguments are of the kinds that the row's operands name. The program is legal by
// construction.
generate::DrawnModule DrawPatternProgram(const RewriteRow& row, std::string_view computation, std::uint64_t seed,
                                         Naming naming = Naming::kCopy);

}  // namespace assay
