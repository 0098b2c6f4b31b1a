// Other lawful readings of a scatter: its definition on operands that are rearranged.
#pragma once

#include "interpreter/hlo/op.h"

namespace assay {

// The windows in the opposite order: OpAcceptance::in_opposite_order.
Literal ScatterInOppositeOrder(const HloInstruction& scatter, std::span<Literal> operands, Evaluation& evaluation);

// A window that is partly outside is applied as far as it is inside, since the specification's words are about single
// elements: OpAcceptance::evaluate_otherwise.
Literal ScatterWindowsInPart(const HloInstruction& scatter, std::span<Literal> operands, Evaluation& evaluation);

}  // namespace assay
