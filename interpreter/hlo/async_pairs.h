// Views of asynchronous operations as their synchronous ops, whether written as a pair of instructions or with a
// computation.
#pragma once

#include "interpreter/hlo/module.h"

namespace assay {

// Returns the computation that an asynchronous operation runs: that of `calls`, or of the start at the head of the
// chain of updates. Returns null if the chain passes through a call or a branch and no `calls` is written.
const HloComputation* WrappedComputation(const HloInstruction& instruction);

// Returns the async-start or async-update whose value operand 0 of an update or done is. The value may have passed
// through tuples, barriers, copies and loops. Returns null if it has another source.
HloInstruction* ProducerOf(const HloModule& module, const HloInstruction& instruction);

// Sets `calls` of each update and done that has none to that of its start, as far as a start is found.
void FollowStarts(HloModule& module);

// Returns the synchronous op of a pair (all-reduce for all-reduce-start); null for transfers, which have none.
const Op* SynchronousOp(const Op& start);

// True for the first op of a pair such as all-reduce-start and all-reduce-done, which together are a synchronous op.
bool StartsPair(const Op& op);

// Returns the start of the pair that an op such as all-reduce-done completes. Returns any other instruction itself.
const HloInstruction& StartOf(const HloInstruction& instruction);

// Returns the instruction whose operands a result is computed from: the start of a pair, or the one instruction that
// async-start wraps; otherwise the instruction itself.
const HloInstruction& OperandsOwnerOf(const HloInstruction& instruction);

// Returns the one synchronous instruction with the same operands and result: all-reduce for all-reduce-done. Returns
// any other instruction unchanged.
HloInstruction AtOnce(const HloInstruction& instruction);

}  // namespace assay
