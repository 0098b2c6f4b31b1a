// Functions with small errors.
#pragma once

#include <span>

#include "backends/lawful/noise.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

// Returns `exact` with errors in the finite nonzero elements: up to the rule's units in the last place of the true
// value (of the larger part of a complex one), or up to the tolerance that the instruction asks for. Real results stay
// in the range.
Literal Approximate(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& exact,
                    const RuleChoice& rule, const FunctionRange& range, Noise& noise);

}  // namespace assay
