// Shapes of asynchronous operations: ((operands...), result, contexts...).
#pragma once

#include "interpreter/hlo/async_pairs.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"
#include "interpreter/types/shape.h"

namespace assay {

// The shape is an asynchronous value whose operands and result are those of the computation. Operands may be bound
// late, so that only the first of them are there.
Status CheckAsyncShape(const HloInstruction& instruction, const Shape& shape);

// async_execution_thread is the thread that the computation runs on.
Status CheckExecutionThread(const HloInstruction& instruction);

// Once the value of an async-start or async-update has all the operands of its computation: starts it, and promises its
// result as element 1.
void StartWhenBound(const HloInstruction& instruction, const Shape& shape, Literal& value, Evaluation& evaluation);

}  // namespace assay
