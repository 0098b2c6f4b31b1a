// How many of the mutants that operators make (backends/mutant/operators) a corpus notices.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "measure/misses.h"

namespace assay {

// What has become of a mutant, from good to bad.
enum class Fate {
  kKilled,         // a case is FAIL
  kOpen,           // the profile allows all that it changes
  kEquivalent,     // nothing changes, and the catalogue says why nothing can
  kBeyond,         // no golden can be so large
  kWeak,           // all that changes is open, or of a kind for which the judge has no bound: the verdict WEAK
  kNotApplicable,  // no case has an instruction that the operator can change and that can then be evaluated
  kSurvivor,
};
std::string_view FateName(Fate fate);

struct MutantScore {
  const Mutant* mutant = nullptr;
  Fate fate = Fate::kSurvivor;
  std::int64_t applied = 0;  // cases that were run with a changed instruction, up to the first kill where that is asked
  std::int64_t changed = 0;  // those whose result is not the reference's
  std::int64_t errors = 0;   // those that could not be evaluated, which kill nobody
  std::vector<std::string> killers;
  std::string why;  // of kOpen, kWeak, kEquivalent and kBeyond
};

struct ScoreOptions {
  std::string_view profile;
  bool stops_at_first_kill = true;
};

// Small cases come first.
MutantScore ScoreOf(const Mutant& mutant, const CaseLibrary& library, const ScoreOptions& options);
// Work on numbers from 0, on all cores.
void ForEachOnAllCores(std::size_t count, const std::function<void(std::size_t)>& work);
// Of many, in their order.
std::vector<MutantScore> ScoresOf(const std::vector<const Mutant*>& mutants, const CaseLibrary& library,
                                  const ScoreOptions& options);

}  // namespace assay
