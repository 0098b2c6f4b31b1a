// Machine code of element-wise instructions, with the results of the loops that replays call.
#pragma once

#include <cstdint>
#include <span>

#include "backends/simd/loops/vector_code.h"
#include "interpreter/hlo/op.h"

namespace assay::simd {

// Emits the code of an instruction. `out` may be one of the operands.
using EmitElements = void (*)(VectorCode& code, const HloInstruction& instruction, const Vectors& out,
                              std::span<const Vectors> in);

// Returns the code of an element-wise instruction; null if there is none.
EmitElements ElementCode(const HloInstruction& instruction);

// Emits copies, and a scalar in every element of an array.
void EmitCopy(VectorCode& code, const Vectors& out, const Vectors& in);
void EmitRepeat(VectorCode& code, PrimitiveType type, const Vectors& out, const Vectors& in);

}  // namespace assay::simd
