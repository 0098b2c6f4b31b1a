// A kind of kernel: how instructions of some ops are computed on the device. One constant in one file, and a name in
// kinds.cc.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "backends/cuda/kernels/program.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"

namespace assay::cuda {

// What results are like: within what CUDA states of its functions, or the reference's to the bit.
enum class Exactness { kStated, kExact };

struct KernelKind {
  std::string_view name;
  std::vector<std::string_view> (*ops)();
  // Whether it computes an instruction of these ops. It has arrays without dynamic dimensions on all sides, and less
  // than 2^62 elements.
  bool (*takes)(const HloInstruction& instruction);
  // Whether operand `i` is read element by element, with an ElementEmitter, so that the instructions that compute it
  // may be part of the same kernel. Null: none is.
  bool (*reads_elements)(const HloInstruction& instruction, std::size_t i) = nullptr;
  // Whether elements of operand `i` are read more than once each. Then only cheap instructions become part. Null: none.
  bool (*reads_again)(const HloInstruction& instruction, std::size_t i) = nullptr;
  // Whether the results are the reference's to the bit. Null: they are not.
  bool (*is_exact)(const HloInstruction& instruction) = nullptr;
  // The program of a computation whose root is such an instruction, and whose other instructions are parameters and
  // what has element text (emitter.h).
  KernelProgram (*make)(const HloComputation& fused);
};

inline bool IsAlwaysExact(const HloInstruction&) { return true; }

// All of them. The first that takes an instruction computes it.
std::span<const KernelKind* const> AllKernelKinds();
// Null where the host computes the instruction.
const KernelKind* KernelKindOf(const HloInstruction& instruction, Exactness exactness);

// The ops that some kind takes, sorted.
std::vector<std::string_view> AcceleratedOps();

}  // namespace assay::cuda
