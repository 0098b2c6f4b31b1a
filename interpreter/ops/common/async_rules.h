// The shapes of asynchronous operations: ((operands...), result, contexts...).
#pragma once

#include "interpreter/hlo/async_pairs.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"
#include "interpreter/types/shape.h"

namespace assay {

// Checks that the shape is an asynchronous value with the operands and the result of the computation. Operands may be
// bound late: then only the first of them are present.
Status CheckAsyncShape(const HloInstruction& instruction, const Shape& shape);

// Checks that async_execution_thread is the thread of the computation.
Status CheckExecutionThread(const HloInstruction& instruction);

// Starts the computation if the value of an async-start or async-update has all its operands. Element 1 then holds its
// pending result.
void StartWhenBound(const HloInstruction& instruction, const Shape& shape, Literal& value, Evaluation& evaluation);

}  // namespace assay
