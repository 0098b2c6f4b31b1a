// The divisions of integers whose result the specification leaves to the implementation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

// True for a division of integers by zero, and of the least integer by -1: "integer division overflow" in the
// specification. The result has one leaf. Implements OpAcceptance::is_implementation_defined.
bool OverflowsIntegers(const HloInstruction& instruction, std::span<const Literal> operands, std::size_t,
                       std::int64_t element);

}  // namespace assay
