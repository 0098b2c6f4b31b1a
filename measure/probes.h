// Random instructions that mutants are tried on which a corpus does not kill: they tell a hole of the corpus from a
// mutant that may be equivalent, and fill it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "measure/mutation_score.h"

namespace assay {

struct Hole {
  const Mutant* mutant = nullptr;
  std::size_t probe = 0;  // which of the cases kills it
};

struct HolesOfOp {
  std::vector<Hole> holes;
  std::vector<JudgedCase> cases;  // as few and as small as were found
};

// Holes among the mutants of one op that no case of the corpus kills. So many instructions are drawn for each of the
// op's element types.
HolesOfOp FindHoles(std::string_view op, const std::vector<const Mutant*>& mutants, std::int64_t count,
                    std::uint64_t seed, const Profile& profile);

// The cases as golden files: path below the corpus, and text without expected values, which are for the oracle to say.
// Files are called by `name`, and what their modules have in common.
std::vector<std::pair<std::string, std::string>> GoldensOf(std::string_view op, const HolesOfOp& holes,
                                                           std::string_view name);

}  // namespace assay
