// The mutation score of a corpus: how it fares against mutants (backends/mutant).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/mutant/mutant.h"
#include "fuzz/measure/case_library.h"
#include "interpreter/acceptance/profile.h"

namespace assay {

// The status of a mutant, from good to bad.
enum class MutantStatus {
  kKilled,         // a case is FAIL or SUSPECT
  kOpen,           // the profile allows all of its changes
  kEquivalent,     // nothing changes, and the catalogue has the reason why nothing can
  kBeyond,         // a golden that shows the fault would be too large
  kWeak,           // every change is open, or of a kind without a bound of the judge: the verdict WEAK
  kNotApplicable,  // no case has an instruction that the operator can change and the backend can then evaluate
  kSurvivor,
};
std::string_view StatusName(MutantStatus status);

struct MutantScore {
  const Mutant* mutant = nullptr;
  MutantStatus status = MutantStatus::kSurvivor;
  std::int64_t applied = 0;  // cases that ran with a changed instruction, up to the first kill if so requested
  std::int64_t changed = 0;  // of these, the cases whose result is not the reference's
  std::int64_t errors = 0;   // cases that could not be evaluated; these kill nothing
  std::vector<std::string> killers = {};
  std::string why = {};  // of kOpen, kWeak, kEquivalent and kBeyond
};

struct ScoreOptions {
  std::string_view profile;
  bool stops_at_first_kill = true;
  // The judge may itself be wrong: its LEGAL needs the second oracle's word.
  bool doubts_judge = false;
};

// Returns the score of a mutant on some cases, in their order, under each of the options.
std::vector<MutantScore> ScoreOf(const Mutant& mutant, const std::vector<const JudgedCase*>& cases,
                                 const std::vector<ScoreOptions>& options);
// Calls `work` with each number below `count`, on all cores.
void ForEachOnAllCores(std::size_t count, const std::function<void(std::size_t)>& work);
// Returns the scores of several mutants, in their order. Each runs on the cases of its op, small ones first.
std::vector<MutantScore> ScoresOf(const std::vector<const Mutant*>& mutants, const CaseLibrary& library,
                                  const ScoreOptions& options);

}  // namespace assay
