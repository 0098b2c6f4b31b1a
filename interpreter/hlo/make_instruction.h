// New instructions, for code that changes modules or makes parts of them.
#pragma once

#include <memory>
#include <vector>

#include "interpreter/hlo/op.h"

namespace assay {

// Returns an instruction, named after its op. It is in no computation yet.
std::unique_ptr<HloInstruction> MakeInstruction(const Op& op, const Shape& shape,
                                                std::vector<HloInstruction*> operands = {});
// Does the same for the op with this role.
std::unique_ptr<HloInstruction> MakeInstruction(OpRole role, const Shape& shape,
                                                std::vector<HloInstruction*> operands = {});
// Returns a tuple of these values.
std::unique_ptr<HloInstruction> MakeTupleOf(std::vector<HloInstruction*> elements);

}  // namespace assay
