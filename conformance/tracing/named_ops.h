// The ops that tracing knows by their names: sums, functions with poles, loops.
#pragma once

#include <span>

#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"

namespace assay {

// Returns 1 if an element-wise op adds its second operand to its first, -1 if it subtracts it, and 0 for other ops.
int SignOfSecondTerm(const Op& op);

// True if the exact result of an element-wise op on these numbers is infinite, as of 1/0 or log(0). An infinite result
// on other finite numbers is an overflow (IEEE 754-2019, 7.3 and 7.4).
bool IsPole(const Op& op, std::span<const double> operands);

// True if an instruction calls its computations any number of times: a call's number is then an iteration.
bool IsLoop(const HloInstruction& instruction);

}  // namespace assay
