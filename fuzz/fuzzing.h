// Random programs on a backend: what fails is reduced, blamed on a pass where the backend's compiler can be asked, and
// kept once for each signature (docs/fuzzing.md).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "conformance/judging/compare.h"
#include "conformance/running/backend_pool.h"
#include "fuzz/changed_modules.h"
#include "fuzz/drawn_programs.h"
#include "fuzz/findings.h"

namespace assay {

// Who says what is right.
enum class Oracle {
  kReference,  // one in three programs is rewritten first
  kRewrites,   // the backend must make the same of a program before and after some rewrites: see compare_rewritten.h
};

struct FuzzOptions {
  ProgramWishes wishes;
  std::vector<NamedSubject> modules;  // programs are changes of these; none: they are drawn
  std::string modules_from;           // where these are, as on the command line
  Oracle oracle = Oracle::kReference;
  std::string backend, profile;  // as on the command line: findings name them
  CompareOptions compare;
  RunState from;                   // where it goes on
  std::int64_t count = 0;          // more programs; 0: any number
  double seconds = 0;              // no more programs are begun after so many; 0: no end
  double budget = 20;              // seconds for making one failing program smaller
  std::int64_t most_findings = 0;  // no more programs are begun after so many new ones; 0: no end
};

// Tells of every program after it was judged.
using FuzzStep = std::function<void(const FuzzCount&)>;

// Writes findings into the folder, and how far the run is. What came of all its programs, those before included. An
// error: the folder cannot be written.
Result<FuzzCount> Fuzz(BackendPool& pool, const FuzzOptions& options, FindingsFolder& folder, const FuzzStep& on_step);

// The name under which the folder keeps how far a run is.
std::string RunName(const FuzzOptions& options);

}  // namespace assay
