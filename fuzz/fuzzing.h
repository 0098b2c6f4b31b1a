// Random programs on a backend: what fails is reduced, blamed on a pass where the backend's compiler can be asked, and
// kept once for each signature (docs/fuzzing.md).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "conformance/backend_pool.h"
#include "conformance/compare.h"
#include "fuzz/drawn_programs.h"
#include "fuzz/findings.h"

namespace assay {

struct FuzzOptions {
  ProgramWishes wishes;
  std::string backend, profile;  // as on the command line: findings name them
  CompareOptions compare;
  std::int64_t first = 0, count = 0;  // programs; a count of 0: any number
  double seconds = 0;                 // no more programs are begun after so many; 0: no end
  double budget = 20;                 // seconds for making one failing program smaller
  std::int64_t most_findings = 0;     // no more programs are begun after so many new ones; 0: no end
};

struct FuzzCount {
  std::int64_t programs = 0;                        // judged
  std::map<Verdict, std::int64_t> by_verdict;       // of these
  std::int64_t differing = 0;                       // not equal to the last bit
  std::int64_t uniform = 0;                         // whose outputs have one distinct value each: they show little
  std::int64_t not_evaluated = 0;                   // beyond the reference's limits: not judged
  std::int64_t findings = 0, known = 0, alike = 0;  // new ones; those that were there; those that were not reduced
  std::set<std::pair<std::string, std::string>> covered;  // ops and element types of programs that the backend took
  double seconds = 0;
};

// Tells of every program after it was judged.
using FuzzStep = std::function<void(const FuzzCount&)>;

// Writes findings into the folder, and how far the run is. An error: the folder cannot be written.
Result<FuzzCount> Fuzz(BackendPool& pool, const FuzzOptions& options, FindingsFolder& folder, const FuzzStep& on_step);

// The name under which the folder keeps how far a run is.
std::string RunName(const FuzzOptions& options);

}  // namespace assay
