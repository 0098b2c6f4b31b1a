// Misses: mutants (backends/mutant) with faults that the judge passes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "backends/mutant/mutant.h"
#include "conformance/cases/golden.h"
#include "interpreter/acceptance/profile.h"

namespace assay {

// A module with its inputs and the reference's result.
struct JudgedCase {
  std::string name;
  std::shared_ptr<const HloModule> module;
  DeviceValues arguments;
  std::vector<Literal> root_operands;  // of all devices, concatenated
  Literal want;
};

// The cases of a corpus by the ops that they execute, including called computations.
class CaseLibrary {
 public:
  static Result<CaseLibrary> Read(const std::string& corpus);
  const std::vector<JudgedCase>& cases() const { return cases_; }
  // Returns the cases of an op, the smallest first.
  std::vector<const JudgedCase*> OfBySize(std::string_view op) const;
  // Returns the cases of an op, and `random_cases` random instructions of it if the op can be drawn.
  std::vector<JudgedCase> Of(std::string_view op, std::int64_t random_cases, std::uint64_t seed) const;

 private:
  std::vector<JudgedCase> cases_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> by_op_;
};

struct MutantCount {
  std::int64_t changed = 0;  // cases, up to the killer, whose result is not the reference's
  std::string killer;        // the first case with the verdict FAIL or SUSPECT
  // The reason why a profile allows everything that the mutant changes. Empty: it does not.
  std::string hidden;
  bool is_killed() const { return !killer.empty(); }
  bool is_killed_by_corpus() const;
  // True for a mutant of an operator that changes no result: the mutation score has the reasons.
  bool is_unchanged(const Mutant& mutant) const { return changed == 0 && !mutant.made_by.empty(); }
  // True if no case kills the mutant and the profile does not allow all of its changes. A handwritten mutant that
  // changes no result counts as missed.
  bool is_missed(const Mutant& mutant) const {
    return !mutant.is_control && mutant.beyond_goldens.empty() && !is_killed() && hidden.empty() &&
           !is_unchanged(mutant);
  }
};

// Judges a mutant on these cases under each profile, until the first kill.
std::map<std::string, MutantCount> CountKills(const Mutant& mutant, const std::vector<JudgedCase>& cases,
                                              const std::vector<std::string_view>& profiles);

}  // namespace assay
