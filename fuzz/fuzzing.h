// Random programs on a backend. Failures are reduced, attributed to a compiler pass if the backend can report passes,
// and kept once for each signature (docs/fuzzing.md).
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "conformance/judging/compare.h"
#include "conformance/running/backend_pool.h"
#include "conformance/running/check_run.h"
#include "fuzz/drawn_programs.h"
#include "fuzz/findings.h"

namespace assay {

// The source of the expected results.
enum class Oracle {
  kReference,  // the reference; one in three programs is rewritten first
  kRewrites,   // the backend's results for a program before and after rewrites must agree: see compare_rewritten.h
};

struct FuzzOptions {
  ProgramWishes constraints;
  std::vector<NamedSubject> modules;  // programs are mutants of these; empty: they are drawn
  std::string modules_from;           // the path of these, as on the command line
  Oracle oracle = Oracle::kReference;
  std::string backend, profile;  // as on the command line: findings name them
  CompareOptions compare;
  nlohmann::json learnt;           // FindingsFolder::LearntOf of this run; null: nothing
  std::int64_t count = 0;          // additional programs; 0: no limit
  double seconds = 0;              // no program starts after this many seconds; 0: no limit
  std::set<Verdict> fail_on;       // verdicts that count as failures too: WEAK, UNSUPPORTED, SPEC-GAP
  double budget = 20;              // seconds for reducing one failing program; as many for finding the pass at fault
  std::int64_t most_findings = 0;  // no program starts after this many new findings; 0: no limit
  Shard shard = {};                // the part of the seed's programs, in groups of four
};

// The progress of a run, which another thread may read.
struct FuzzProgress {
  std::mutex guard;  // locked while the state or the folder changes
  RunState state;    // at first, the state to continue from
};

// Called after each judged program.
using FuzzStep = std::function<void(const FuzzCount&)>;

// Runs programs and writes findings and progress to the folder. The counts of `progress` are those of all programs,
// including those of earlier runs. Fails if the folder cannot be written.
Status Fuzz(BackendPool& pool, const FuzzOptions& options, FindingsFolder& folder, FuzzProgress& progress,
            const FuzzStep& on_step);

// Returns the name under which the folder records the progress of a run.
std::string RunName(const FuzzOptions& options);

}  // namespace assay
