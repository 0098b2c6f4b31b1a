// Judges a backend by its own results for a module before and after rewrites, and reduces such a pair. The reference
// need not evaluate it.
#pragma once

#include <optional>

#include "backends/backend.h"
#include "conformance/judging/compare.h"
#include "fuzz/rewrites/rewrite.h"
#include "interpreter/evaluator/evaluator.h"

namespace assay {

struct RewrittenReport {
  ModuleReport report;
  Subject subject;             // the module of the report: before or after the rewrites
  bool is_by_results = false;  // only the two results show the failure: the subject is the module after
};

// Returns EXACT if both results are equal; nothing else is computed then. If they differ, either may be wrong, or both
// lawful: the reference judges both, and the worse report is returned. Beyond its limits a difference is FAIL for a
// module that only moves numbers or computes with integers, and WEAK otherwise. If the backend does not support the
// module before the rewrites, and does not fail on the other one, the report is UNSUPPORTED; of other errors the worse
// one counts.
Result<RewrittenReport> CompareRewritten(Backend& backend, const Subject& before, const Rewritten& after,
                                         const CompareOptions& options);

struct Pair {
  Subject before;
  Rewritten after;
};

// Reduces a pair for which the backend returns results that must be equal (IsDetermined). Each smaller module is
// rewritten anew, at any place, by one of the rewrites, or by all of them; the results must still differ. Returns
// nothing if they never do.
std::optional<Pair> ReducePair(Backend& backend, const Pair& pair, const EvaluationLimits& limits,
                               double budget_seconds);

}  // namespace assay
