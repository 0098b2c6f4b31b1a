// What the backend has of its own: families of ops, each with kernels for some types and the evaluator's for the rest.
#pragma once

#include <span>
#include <string_view>

#include "interpreter/hlo/op.h"

namespace assay::simd {

// Ops that share an implementation. It takes the place of the record's: a kernel or a function of whole values.
struct Family {
  std::span<const std::string_view> ops;
  Kernel (*kernel)(const HloInstruction&) = nullptr;
  EvaluateFunction evaluate = nullptr;
};

// What the evaluator has for an instruction.
inline Kernel EvaluatorsKernel(const HloInstruction& instruction) {
  return instruction.op->evaluation.kernel(instruction);
}

}  // namespace assay::simd
