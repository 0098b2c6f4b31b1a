// The shapes of asynchronous operations: ((operands...), result, contexts...).
#pragma once

#include "interpreter/hlo/async_pairs.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"
#include "interpreter/types/shape.h"

namespace assay {

// Checks that the shape is an asynchronous value with the operands and the result of the computation. Both may be
// bound late: then only the first operands, and no result or its first elements, are present.
Status CheckAsyncShape(const HloInstruction& instruction, const Shape& shape);

// True if `bound` is the shape of a result of which nothing, the first elements, or all are bound: XLA's IsPrefix.
bool IsBoundPart(const Shape& bound, const Shape& whole);

// Checks that async_execution_thread is the thread of the computation.
Status CheckExecutionThread(const HloInstruction& instruction);

// Starts the computation if the value of an async-start or async-update has all its operands. Element 1 then holds its
// pending result, also if the shape has none yet.
void StartWhenBound(const HloInstruction& instruction, Literal& value, Evaluation& evaluation);

}  // namespace assay
