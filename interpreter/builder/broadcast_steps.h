// The instructions that broadcast an operand. Only the sources of this folder include it.
#pragma once

#include "interpreter/builder/add_instruction.h"
#include "interpreter/hlo/broadcasting.h"

namespace assay::xla {

// `operand` brought to the dimensions of `result`: a broadcast up to the plan's in_dim_shape, then the degenerate
// dimensions dropped by a reshape and repeated by a second broadcast. Steps that change nothing are left out.
XlaOp BroadcastSteps(XlaOp operand, const BroadcastOperand& plan, const Shape& result);

}  // namespace assay::xla
