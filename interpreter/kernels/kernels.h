// Bodies that are fast, for ops whose definition in interpreter/ops is plain. Each returns the bits of the definition;
// spec_tests/kernels compares the two.
#pragma once

#include <span>

#include "interpreter/hlo/op.h"
#include "interpreter/kernels/overrides.h"

namespace assay {

// The bodies that replace those of an op's record; null where there is none.
struct OpKernel {
  const Op* op = nullptr;
  Kernel (*kernel)(const HloInstruction&) = nullptr;
  EvaluateFunction evaluate = nullptr;
};

#define ASSAY_KERNEL(name) extern const OpKernel kernel_##name;
#include "interpreter/kernels/kernel_list.inc"
#undef ASSAY_KERNEL

// The kernels of the element-wise ops whose kernel is one line; each other op has a file.
std::span<const OpKernel> ElementWiseKernels();

// The record that an evaluation without overrides uses for an op: the op's own, with its kernel in place of the
// definition where it has one.
const Op& WithKernel(const Op& op);

// Overrides under which every op is computed by its definition.
const OpOverrides& Definitions();

}  // namespace assay
