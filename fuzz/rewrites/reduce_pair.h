// Reduction of a module and its rewritten form, for which a backend's results differ. The reference need not evaluate
// them.
#pragma once

#include <optional>

#include "backends/backend.h"
#include "fuzz/rewrites/rewrite.h"
#include "interpreter/evaluator/evaluator.h"

namespace assay {

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
