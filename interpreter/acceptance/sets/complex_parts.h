// The lawful results of complex functions of open operands.
#pragma once

#include "interpreter/acceptance/freedom.h"

namespace assay {

// Returns the lawful values of one part of an open complex number whose exact value is in `exact`, for a rule that
// allows a function an error in proportion to the larger part; otherwise anything. Nothing is known of results that are
// regrouped, and of those that overflow or are flushed on the way.
Reals LawfulPart(const ElementFacts& element, const Reals& exact);

}  // namespace assay
