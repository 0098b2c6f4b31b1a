// False accusations: verdicts of the judge on results that are legal by construction.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "interpreter/acceptance/judge.h"
#include "interpreter/acceptance/profile.h"

namespace assay {

struct AccusationCount {
  std::int64_t instructions = 0;
  std::int64_t elements = 0;
  std::int64_t inexact = 0;      // elements that differ from the exact ones
  std::int64_t weak = 0;         // instructions whose verdict was WEAK
  std::int64_t accusations = 0;  // instructions whose verdict was FAIL or SUSPECT
  double largest_share = 0;      // share of an allowance, among the legal ones
  std::string first_accusation;
};

// Judges results of lawful noise (backends/lawful) for random instructions until `elements` elements are judged.
// Returns the counts by family of instructions (fuzz/generate/families.h), the same for the same seed.
std::map<std::string, AccusationCount> CountAccusations(const Profile& profile, std::int64_t elements,
                                                        std::uint64_t seed);

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
  kFloats,  // chains of float operations (drawn_programs.h)
};

// Judges random modules with lawful noise of the same profile, after skipping the first `skipped`. The same seed
// returns the same counts.
ProgramCount CountProgramAccusations(const Profile& profile, std::int64_t programs, std::uint64_t seed,
                                     ProgramKind kind = ProgramKind::kAny, std::int64_t skipped = 0);

}  // namespace assay
