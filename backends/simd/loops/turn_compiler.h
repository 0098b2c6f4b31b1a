// The code generator of a loop's turns.
#pragma once

#include <asmjit/asmjit.h>

#include <optional>

#include "interpreter/kernels/loops/loop_program.h"

namespace assay::simd {

// Emits a function of type TurnCode. Returns the number of its steps that are calls; nullopt if machine code would gain
// nothing, or would take too long to make.
std::optional<int> EmitTurns(const LoopProgram& program, const LoopBlock& block, asmjit::x86::Compiler& compiler);

}  // namespace assay::simd
