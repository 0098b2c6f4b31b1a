// Fast bodies for ops whose definition in interpreter/ops is plain. Each returns the bits of the definition;
// spec_tests/kernels compares the two.
#pragma once

#include <span>

#include "interpreter/hlo/op.h"
#include "interpreter/hlo/overrides.h"

namespace assay {

// The bodies that replace those of an op's record; null if there is none.
struct OpKernel {
  const Op* op = nullptr;
  Kernel (*kernel)(const HloInstruction&) = nullptr;
  EvaluateFunction evaluate = nullptr;
  PreparedFunction (*prepare)(const HloInstruction&, const OpOverrides&) = nullptr;
};

#define ASSAY_KERNEL(name) extern const OpKernel kernel_##name;
#include "interpreter/kernels/kernel_list.inc"
#undef ASSAY_KERNEL

// Return the kernels of ops that share a file. Each other op has a file of its own.
std::span<const OpKernel> CollectiveKernels();
std::span<const OpKernel> ComplexParts();
std::span<const OpKernel> ElementWiseKernels();
std::span<const OpKernel> StridedCopies();

// Returns the record that an evaluation without overrides uses for an op: the op's own, with its kernel, if any, in
// place of the definition.
const Op& WithKernel(const Op& op);

// Returns the record whose body runs an instruction.
const Op& RunningOp(const HloInstruction& instruction, const OpOverrides& overrides);

// True if the op may have an element-wise kernel, and the operands are arrays of the result's dimensions and scalars.
bool MayBeElementWise(const HloInstruction& instruction);

// Returns overrides that compute every op by its definition.
const OpOverrides& Definitions();

}  // namespace assay
