// The divisions of integers whose result the specification leaves to the implementation.
#pragma once

#include <cstddef>
#include <span>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

// Selects divisions of integers by zero, and of the least integer by -1: "integer division overflow" in the
// specification. Implements SpecificationGap::implementation_defined.
ElementTest OverflowOfIntegers(const HloInstruction& instruction, std::span<const Literal> operands, std::size_t);

}  // namespace assay
