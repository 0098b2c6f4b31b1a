// Records judged elements in a judgement: as tallies, and the worst of them.
#pragma once

#include "interpreter/acceptance/judge.h"
#include "interpreter/acceptance/rule.h"

namespace assay {

// Adds the verdict of an element that is not exact and has been counted. `want` and `got` are the leaves that `place`
// names. Elements with the same verdict and reason share a tally; all failures share one if `are_failures_one`.
void RecordElement(const Literal& want, const Literal& got, const Place& place, const ElementVerdict& verdict,
                   Judgement& judgement, bool are_failures_one = false);

// Records the verdict LEGAL for all elements that are not exact.
void RecordAsLegal(std::string_view reason, Judgement& judgement);

}  // namespace assay
