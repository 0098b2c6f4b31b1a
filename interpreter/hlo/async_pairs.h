// Asynchronous operations as the operations that they are: what two instructions, or a computation of its own, do.
#pragma once

#include "interpreter/hlo/module.h"

namespace assay {

// The computation that an asynchronous operation runs: that of `calls`, or of the start that the chain of updates leads
// to; null when the chain passes through a tuple, a loop or a call.
const HloComputation* WrappedComputation(const HloInstruction& instruction);

// The start of the pair that an instruction with an op of its own ends, such as all-reduce-done; any other instruction
// itself.
const HloInstruction& StartOf(const HloInstruction& instruction);

// The instruction whose operands a result is computed from: the start of a pair, or the one instruction that
// async-start wraps; otherwise the instruction itself.
const HloInstruction& OperandsOwnerOf(const HloInstruction& instruction);

// The one instruction that computes the same from these operands at once: all-reduce in place of all-reduce-done. Any
// other instruction as it is.
HloInstruction AtOnce(const HloInstruction& instruction);

}  // namespace assay
