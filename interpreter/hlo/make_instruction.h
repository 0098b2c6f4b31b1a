// New instructions, for code that changes modules or makes parts of them.
#pragma once

#include <memory>
#include <vector>

#include "interpreter/hlo/op.h"

namespace assay {

// Returns an instruction of the op with this role, named after the op. It is in no computation yet.
std::unique_ptr<HloInstruction> MakeInstruction(OpRole role, const Shape& shape,
                                                std::vector<HloInstruction*> operands = {});
// Returns a tuple of these values.
std::unique_ptr<HloInstruction> MakeTupleOf(std::vector<HloInstruction*> elements);

}  // namespace assay
