// The judgement of a pair of modules as text and as JSON, for diff and passes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "conformance/pairs/judge_pair.h"

namespace assay {

// The names of the modules of a pair for the user.
struct PairNames {
  std::string before;
  std::string after;
};

// Returns the sentence of the verdict: "every value of b.hlo is one that the profile allows for a.hlo".
std::string PairSentence(const PairNames& names, const ModuleReport& report);

// Prints the verdict, the worst element, the freedoms that admit elements, and the first pair that differs.
void PrintPair(const PairNames& names, const PairReport& pair);
// Prints the pair of instructions that differs first, if there is one.
void PrintDivergence(const PairReport& pair);

nlohmann::json PairToJson(const PairNames& names, const PairReport& pair);

}  // namespace assay
