// The exact results of an instruction, before they are rounded to its type, as far as they are known.
#pragma once

#include <optional>

#include "interpreter/acceptance/lawful_facts.h"

namespace assay {

// The decided results of a leaf in f64 (c128), if its rule or an open freedom reads them and f64 has more digits.
std::optional<Literal> ResultInF64(const LeafFacts& leaf, const Place& place, SetEvaluation& evaluation);

// The exact results of an element: an interval where they are not known to all digits.
Reals ExactResultOf(const ElementFacts& element);

// True if a decided element is NaN for an overflow: its format has no infinity, and the exact value of the function is
// a number.
bool OverflowsToNan(const ElementFacts& element);

}  // namespace assay
