// The instructions that can be judged alone, and the modules that have one correct result.
#pragma once

#include <optional>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/per_device.h"

namespace assay {

// True if every value of the module has exactly one correct result: nothing is rounded and nothing is left open.
bool IsDetermined(const HloModule& module);

// True if an instruction can run and be judged alone; the end of an asynchronous pair runs with its start. False if it
// only passes a value on, which is judged through its users, or if an operand is not an array.
bool IsJudgedAlone(const HloInstruction& instruction);

// Returns the operands of the root if they are arguments and constants, so that its rule judges the module; nullopt for
// other modules. A set is wider in some ways: it does not say that the rows of a sort are a permutation of its
// operands'.
std::optional<std::vector<Literal>> OperandsOfOnlyInstruction(const HloModule& module, const DeviceValues& arguments,
                                                              const Literal& want);

// True if the root alone does not decide the result: it has computed operands, or it calls computations.
bool IsProgram(const HloModule& module);

}  // namespace assay
