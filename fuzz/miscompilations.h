// Instructions that compilers replace by others. In a miscompilation these have a different meaning, and sets through
// programs must call the results wrong; in a lawful rewrite they are another lawful evaluation, and sets must contain
// the results (docs/verdicts.md).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/acceptance/profile.h"

namespace assay {

// Instructions that compute `r` from parameters, and their replacement. In all texts $T is an element type, one
// of `types`, and $N a size.
struct Miscompilation {
  std::string_view name;
  std::string_view types;       // "f32 f64"
  std::string_view parameters;  // "a $T[$N] specials; i s32[] index:8": name, shape, kind of values (values.h)
  std::string_view result;      // the shape of r
  std::string_view right, rewritten;
  std::string_view called = {};  // computations that both may call
};

std::span<const Miscompilation> MiscompiledNumbers();  // identities that do not hold for all numbers
std::span<const Miscompilation> MiscompiledPlaces();   // data at the wrong place, wrong loops and conditionals
std::span<const Miscompilation> MiscompiledIndices();  // gathers and scatters as JAX lowers its indexing
std::span<const Miscompilation> MiscompiledFolds();    // folds, products, constants and counted loops
std::vector<const Miscompilation*> AllMiscompilations();
// Replacements that the profile xla allows, though they change bits. Most of them were once FAIL.
std::span<const Miscompilation> LawfulRewrites();

struct MiscompilationCount {
  std::int64_t programs = 0;
  std::int64_t changed = 0;  // outputs that differ from the reference's
  std::int64_t failed = 0;   // of the changed ones: FAIL
  std::int64_t weak = 0;
  std::string first_miss;  // a changed program that is not FAIL, with the verdict
};

// Judges `programs` programs around the pattern by a profile. The same seed returns the same counts.
MiscompilationCount CountFound(const Miscompilation& miscompilation, const Profile& profile, std::int64_t programs,
                               std::uint64_t seed);

}  // namespace assay
