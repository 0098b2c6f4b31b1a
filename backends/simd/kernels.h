// The backend's own implementations: families of ops, each with kernels for some types. The evaluator computes the
// rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "interpreter/hlo/op.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/kernels/loops/loop_bodies.h"

namespace assay::simd {

// Ops that share an implementation: a kernel or a function of whole values, which replaces that of the op's record.
struct Family {
  std::span<const std::string_view> ops;
  Kernel (*kernel)(const HloInstruction&) = nullptr;
  EvaluateFunction evaluate = nullptr;
  PreparedFunction (*prepare)(const HloInstruction&, const OpOverrides&) = nullptr;
};

// Returns the evaluator's kernel of an instruction.
inline Kernel EvaluatorsKernel(const HloInstruction& instruction) {
  return WithKernel(*instruction.op).evaluation.kernel(instruction);
}

using Loop = ElementLoop;

// Returns the kernel of a loop; the evaluator's if there is no loop.
inline Kernel KernelOfLoop(Loop loop, const HloInstruction& instruction) {
  return loop == nullptr ? EvaluatorsKernel(instruction) : LoopKernel{loop};
}

}  // namespace assay::simd
