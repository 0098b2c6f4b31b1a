// A backend judged by itself: it must make the same of a module and of what rewrites make of it.
#pragma once

#include "conformance/judging/compare.h"
#include "fuzz/rewrites/rewrite.h"

namespace assay {

struct RewrittenReport {
  ModuleReport report;
  Subject subject;             // what the report is of: the module before or after
  bool is_by_results = false;  // nobody but the two results says so: the subject is the module after
};

// EXACT where both have the same results; nothing else is computed then. Where they differ, one of them may be wrong,
// or both lawful: the reference judges both, and the worse report is given. Beyond its limits a difference of a module
// that only moves numbers, or computes with integers, is FAIL, and any other one is WEAK. Of errors of the backend the
// worse one counts, UNSUPPORTED least.
Result<RewrittenReport> CompareRewritten(Backend& backend, const Subject& before, const Rewritten& after,
                                         const CompareOptions& options);

}  // namespace assay
