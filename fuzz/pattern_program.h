// Programs around the instructions of a rewrite (rewrite_table.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/generate/modules.h"
#include "fuzz/rewrite_table.h"
#include "interpreter/acceptance/profile.h"

namespace assay {

// The instruction that names an operand of the pattern, and the result.
enum class Naming { kCopy, kReshape };

// Draws a program around `computation` of a row, which is `given` or `compiled`: with the same seed, only their
// instructions differ. The arguments are of the kinds that the row's operands name. The program is legal by
// construction.
generate::DrawnModule DrawPatternProgram(const RewriteRow& row, std::string_view computation, std::uint64_t seed,
                                         Naming naming = Naming::kCopy);

// Programs around planted miscompilations and lawful rewrites (rewrite_table.h), judged by their sets: those through
// the first must call the results wrong, and those through the second contain them (docs/verdicts.md).

struct MiscompilationCount {
  std::int64_t programs = 0;
  std::int64_t changed = 0;  // outputs that differ from the reference's
  std::int64_t failed = 0;   // of the changed ones: FAIL
  std::int64_t weak = 0;
  std::string first_miss;  // a changed program that is not FAIL, with the verdict
};

// Judges `programs` programs around the row by a profile. The same seed returns the same counts.
MiscompilationCount CountFound(const RewriteRow& row, const Profile& profile, std::int64_t programs,
                               std::uint64_t seed);

}  // namespace assay
