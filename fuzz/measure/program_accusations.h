// False accusations of whole programs: verdicts of sets through programs (acceptance/sets/program_sets.h) on results
// that are lawful by construction.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interpreter/acceptance/profile.h"

namespace assay {

constexpr std::size_t kMostTold = 20;

struct ProgramCount {
  std::int64_t programs = 0;
  std::int64_t elements = 0;
  std::int64_t inexact = 0;  // programs whose results differ from the reference's
  std::int64_t legal = 0, weak = 0;
  std::int64_t accusations = 0;   // FAIL or SUSPECT
  std::vector<std::string> told;  // the first kMostTold of these: number, verdict, and module
};

enum class ProgramKind {
  kAny,     // of all ops
  kFloats,  // chains of float operations (float_programs.h)
};

// Judges random modules with lawful noise of the same profile, after skipping the first `skipped`. The same seed
// returns the same counts.
ProgramCount CountProgramAccusations(const Profile& profile, std::int64_t programs, std::uint64_t seed,
                                     ProgramKind kind = ProgramKind::kAny, std::int64_t skipped = 0);

}  // namespace assay
