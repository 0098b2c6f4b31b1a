// Programs around planted miscompilations and lawful rewrites (rewrite_table.h), judged by their sets: those through
// the first must call the results wrong, and those through the second contain them (docs/verdicts.md).
#pragma once

#include <cstdint>
#include <string>

#include "fuzz/rewrite_table.h"
#include "interpreter/acceptance/profile.h"

namespace assay {

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
