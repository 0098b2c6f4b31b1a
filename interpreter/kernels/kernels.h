// Bodies that are fast, for ops whose definition in interpreter/ops is plain. Each returns the bits of the definition;
// spec_tests/kernels compares the two.
#pragma once

#include <span>

#include "interpreter/hlo/op.h"
#include "interpreter/kernels/overrides.h"

namespace assay {

// The bodies that replace those of an op's record; null where there is none.
struct ArrayKernel {
  const Op* op = nullptr;
  Kernel (*kernel)(const HloInstruction&) = nullptr;
  EvaluateFunction evaluate = nullptr;
};

#define ASSAY_KERNEL(name) extern const ArrayKernel kernel_##name;
#include "interpreter/kernels/kernel_list.inc"
#undef ASSAY_KERNEL

// All of interpreter/kernels, by op, but for the element-wise ops whose kernel is one line.
std::span<const ArrayKernel* const> ArrayKernels();
// These.
std::span<const ArrayKernel> ElementWiseKernels();

// The record that an evaluation without overrides uses for an op: the op's own, with its kernel in place of the
// definition where it has one.
const Op& WithKernel(const Op& op);

// Overrides under which every op is computed by its definition.
const OpOverrides& Definitions();

}  // namespace assay
