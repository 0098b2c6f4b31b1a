// Ops that move the elements of small arrays, as kernels over the whole arrays.
#pragma once

#include "interpreter/kernels/loops/loop_bodies.h"

namespace assay {

// Returns the kernel of a broadcast, concatenate, dynamic-slice, dynamic-update-slice, reverse, slice or transpose of
// static shapes with elements of one type, on dense arrays. Empty for anything else.
Kernel MovementKernel(const HloInstruction& instruction);

// True if the kernel of this instruction may write to its first operand.
bool UpdatesInPlace(const HloInstruction& instruction);

// Returns the kernel that repeats a scalar of this type.
Kernel FillKernel(PrimitiveType type);

// Returns the loop that copies n = `bytes` bytes.
ElementLoop CopyLoop(std::int64_t bytes);

}  // namespace assay
