// The elements that the specification leaves to the implementation.
#pragma once

#include <cstddef>
#include <span>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/types/literal.h"

namespace assay {

// Returns a test for the elements of leaf `want` of the result of an instruction that are open: those that its op
// leaves open (SpecificationGap::implementation_defined); with the freedom `unrepresentable` the results of conversions
// and of integer arithmetic that their type does not hold, and with others what stablehlo.json says. Null: none is
// open. The arguments must outlive the test.
ElementTest ImplementationDefined(const JudgedInstruction& judged, std::span<const Literal> operands, std::size_t leaf,
                                  const Literal& want);

}  // namespace assay
