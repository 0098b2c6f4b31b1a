// Misses: mutants (backends/mutant) whose faults the judge passes.
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

// A module with its inputs and what the reference makes of it.
struct JudgedCase {
  std::string name;
  std::shared_ptr<const HloModule> module;
  DeviceValues arguments;
  std::vector<Literal> root_operands;  // those of all devices, one list after the other
  Literal want;
};

// The cases of a corpus by the ops that they execute, in called computations too.
class CaseLibrary {
 public:
  static Result<CaseLibrary> Read(const std::string& corpus);
  const std::vector<JudgedCase>& cases() const { return cases_; }
  // Those of an op, the smallest first.
  std::vector<const JudgedCase*> OfBySize(std::string_view op) const;
  // Those of an op, and so many random instructions of it where such can be drawn.
  std::vector<JudgedCase> Of(std::string_view op, std::int64_t random_cases, std::uint64_t seed) const;

 private:
  std::vector<JudgedCase> cases_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> by_op_;
};

struct MutantCount {
  std::int64_t changed = 0;          // cases whose result is not the reference's
  std::vector<std::string> killers;  // cases with the verdict FAIL
  // Why a profile rightly hides the mutant: all that it changes is within a freedom. Empty: it does not.
  std::string hidden;
  bool is_killed() const { return !killers.empty(); }
  bool is_killed_by_corpus() const;
  // A fault that shows, that the profile does not allow, and that nothing finds.
  bool is_missed(const Mutant& mutant) const {
    return !mutant.is_control && mutant.beyond_goldens.empty() && !is_killed() && (hidden.empty() || changed == 0);
  }
};

// What each profile makes of a mutant on these cases: on all of them, or, where the killers do not matter, until it has
// killed the mutant.
enum class StopAt { kEnd, kFirstKill };
std::map<std::string, MutantCount> CountKills(const Mutant& mutant, const std::vector<JudgedCase>& cases,
                                              const std::vector<std::string_view>& profiles,
                                              StopAt stop = StopAt::kEnd);

}  // namespace assay
