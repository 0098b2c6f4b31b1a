// Planted miscompilations: programs of which several instructions are replaced by others that mean something else, as
// compilers have done it. Sets through programs must call the results wrong (docs/verdicts.md).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generate/modules.h"
#include "interpreter/acceptance/profile.h"

namespace assay {

// Instructions that make `r` of parameters, and others that a faulty compiler puts in their place. In all texts $T
// stands for an element type, one of `types`, and $N for a size.
struct Miscompilation {
  std::string_view name;
  std::string_view types;       // "f32 f64"
  std::string_view parameters;  // "a $T[$N] specials; i s32[] index:8": name, shape, what it holds (values.h)
  std::string_view result;      // the shape of r
  std::string_view right, faulty;
  std::string_view called = {};  // computations that both may call
};

std::span<const Miscompilation> MiscompiledNumbers();  // identities that do not hold for all numbers
std::span<const Miscompilation> MiscompiledPlaces();   // data at the wrong place, and wrong loops and choices
std::span<const Miscompilation> MiscompiledFolds();    // folds, products, constants and counted loops
std::vector<const Miscompilation*> AllMiscompilations();

// A program around the right instructions, with values of the kinds that the pattern names.
generate::DrawnModule DrawRightProgram(const Miscompilation& miscompilation, std::uint64_t seed);

struct MiscompilationCount {
  std::int64_t programs = 0;
  std::int64_t changed = 0;  // other outputs than the reference's
  std::int64_t failed = 0;   // of the changed ones: FAIL
  std::int64_t weak = 0;
  std::string first_miss;  // a changed program that is not FAIL, with the verdict
};

// Programs around the pattern, so many of them, judged by a profile. The same seed gives the same programs.
MiscompilationCount CountFound(const Miscompilation& miscompilation, const Profile& profile, std::int64_t programs,
                               std::uint64_t seed);

}  // namespace assay
