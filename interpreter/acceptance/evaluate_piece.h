// Evaluates one instruction on the operands that the judge has.
#pragma once

#include <vector>

#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

// Evaluates a module that ExtractInstructions made of one instruction. `operands` holds the lists of all devices, one
// after the other, as for JudgeInstruction. Throws the error of a limit (unless_limited.h).
Result<Literal> EvaluatePiece(const HloModule& module, std::vector<Literal> operands,
                              const OpOverrides& overrides = {});

// Does the same for an instruction of another module.
Result<Literal> EvaluateAlone(const HloInstruction& instruction, std::vector<Literal> operands,
                              const OpOverrides& overrides = {});

}  // namespace assay
