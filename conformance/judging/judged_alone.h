// The instructions that can be judged alone, and the modules that have one correct result.
#pragma once

#include "interpreter/hlo/module.h"

namespace assay {

// True if every value of the module has exactly one correct result: nothing is rounded and nothing is left open.
bool IsDetermined(const HloModule& module);

// True if an instruction can run and be judged alone; the end of an asynchronous pair runs with its start. False if it
// only passes a value on, which is judged through its users, or if an operand is not an array.
bool IsJudgedAlone(const HloInstruction& instruction);

}  // namespace assay
