// Of a module and what rewrites make of it, which a backend tells apart, smaller ones. The reference need not evaluate
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

// The backend gives results for both, and must give the same (IsDetermined). What is tried has to be told from what one
// of the rewrites, or else all of them, make of it anew, at any place. Nothing where that never happens.
std::optional<Pair> ReducePair(Backend& backend, const Pair& pair, const EvaluationLimits& limits,
                               double budget_seconds);

}  // namespace assay
