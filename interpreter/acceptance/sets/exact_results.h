// The exact results of an instruction before rounding to its type, as far as they are known.
#pragma once

#include <optional>

#include "interpreter/acceptance/sets/lawful_facts.h"

namespace assay {

// Returns the decided results of a leaf in f64 (c128), if its rule or an open freedom reads them and f64 has more
// digits. The result of a function of f64 is its infinities that lie far beyond the largest number, and NaN elsewhere.
std::optional<Literal> ResultInF64(const LeafFacts& leaf, const Place& place, SetEvaluation& evaluation);

// Returns the exact results of an element. The interval is wider than a point if not all digits are known.
Reals ExactResultOf(const ElementFacts& element);

// True if a decided element is NaN because of an overflow: its format has no infinity, and the exact value of the
// function is finite.
bool OverflowsToNan(const ElementFacts& element);

}  // namespace assay
