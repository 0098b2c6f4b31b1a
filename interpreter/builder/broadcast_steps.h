// The instructions that broadcast an operand. Internal to this folder.
#pragma once

#include "interpreter/builder/add_instruction.h"
#include "interpreter/hlo/broadcasting.h"

namespace assay::xla {

// Returns `operand` broadcast to the dimensions of `result`: a broadcast to the plan's in_dim_shape, then a reshape
// that drops the degenerate dimensions and a second broadcast that repeats them. Omits steps that change nothing.
XlaOp BroadcastSteps(XlaOp operand, const BroadcastOperand& plan, const Shape& result);

}  // namespace assay::xla
