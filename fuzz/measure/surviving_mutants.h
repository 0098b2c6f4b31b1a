// Random instructions for mutants that a corpus does not kill. They distinguish a hole of the corpus from a mutant that
// may be equivalent, and fill the hole.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/measure/mutation_score.h"

namespace assay {

struct Hole {
  const Mutant* mutant = nullptr;
  std::size_t probe = 0;  // the index of the case that kills it
};

struct SurvivingMutants {
  std::vector<Hole> holes;
  std::vector<JudgedCase> cases;  // a small set of small cases
};

// Returns the holes among the mutants of one op that no case of the corpus kills. Draws `count` instructions for each
// of the op's element types.
SurvivingMutants FindSurvivingMutants(std::string_view op, const std::vector<const Mutant*>& mutants,
                                      std::int64_t count, std::uint64_t seed, const Profile& profile);

// Returns the cases as golden files: path below the corpus, and text without expected values, which the oracle adds.
// Files are named by `name` and the common part of their modules.
std::vector<std::pair<std::string, std::string>> GoldensOf(std::string_view op, const SurvivingMutants& holes,
                                                           std::string_view name);

}  // namespace assay
