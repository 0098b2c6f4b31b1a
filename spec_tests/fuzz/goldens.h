// The corpus of the repository, for tests that run mutants on it.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/misses.h"

namespace assay::testing {

// ASSAY_GOLDENS says where it is; without it the working directory is taken to be the repository.
inline const CaseLibrary& Goldens() {
  static const CaseLibrary library = [] {
    const char* folder = std::getenv("ASSAY_GOLDENS");
    return *CaseLibrary::Read(folder != nullptr ? folder : "golden");
  }();
  return library;
}

// What profiles make of a mutant on forty small goldens of its op's own folder and on random instructions; where that
// misses it, on the whole folder, and then on all goldens that execute the op, of which there may be thousands.
inline std::map<std::string, MutantCount> KillsOf(const Mutant& mutant, std::int64_t random_cases,
                                                  const std::vector<std::string_view>& profiles) {
  constexpr std::size_t kSample = 40;
  const std::vector<JudgedCase> cases = Goldens().Of(mutant.op, random_cases, 1);
  const std::string folder = std::string(mutant.op) + "/";
  std::vector<JudgedCase> own, sample;
  std::ranges::copy_if(cases, std::back_inserter(own), [&](const JudgedCase& judged) {
    return judged.name.starts_with(folder) || judged.name.starts_with("random/");
  });
  const std::size_t step = own.size() / kSample + 1;
  for (std::size_t i = 0; i < own.size(); i += step) {
    if (own[i].name.find("/large/") == std::string::npos) sample.push_back(own[i]);
  }
  std::map<std::string, MutantCount> counts;
  const std::vector<JudgedCase>* const tries[] = {&sample, &own, &cases};
  for (const std::vector<JudgedCase>* const some : tries) {
    counts = CountKills(mutant, *some, profiles);
    const bool is_missed = std::ranges::any_of(counts, [&](const auto& one) {
      return one.second.is_missed(mutant) || (one.first == "exact" && !one.second.is_killed());
    });
    if (!is_missed || mutant.is_control) break;
  }
  return counts;
}

}  // namespace assay::testing
