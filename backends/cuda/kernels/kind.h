// A kind of kernel: the implementation of some ops on the device. It is one constant in one file, and a name
// below and in kinds.cc.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "backends/cuda/kernels/program.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"

namespace assay::cuda {

// The accuracy of results: within the bounds that CUDA states for its functions, or bit-exact with the reference.
enum class Exactness { kStated, kExact };

struct KernelKind {
  std::string_view name;
  // Null: the op of this name.
  std::vector<std::string_view> (*ops)() = nullptr;
  // True if the kind computes an instruction of these ops. The caller ensures that operands and results are arrays
  // without dynamic dimensions, with less than 2^62 elements.
  bool (*takes)(const HloInstruction& instruction);
  // True if operand `i` is read element by element with an ElementEmitter, so that the instructions that compute it may
  // join the kernel. Null: false for all operands.
  bool (*reads_elements)(const HloInstruction& instruction, std::size_t i) = nullptr;
  // True if elements of operand `i` are read more than once. Only cheap instructions then join the kernel. Null: false
  // for all operands.
  bool (*reads_again)(const HloInstruction& instruction, std::size_t i) = nullptr;
  // True if the results are bit-exact with the reference. Null: false.
  bool (*is_exact)(const HloInstruction& instruction) = nullptr;
  // Makes the program of a computation whose root is such an instruction. Its other instructions are parameters or have
  // element text (emitter.h).
  KernelProgram (*make)(const HloComputation& fused);

  std::vector<std::string_view> Ops() const { return ops == nullptr ? std::vector{name} : ops(); }
};

extern const KernelKind kCholeskyKind, kConvolutionKind, kExactConvolutionKind, kDotKind, kExactDotKind,
    kDynamicUpdateSliceKind, kExactFunctionKind, kFftKind, kLongWindowKind, kLoopKind, kReduceKind, kExactReduceKind,
    kReduceWindowKind, kExactReduceWindowKind, kRngBitGeneratorKind, kScanKind, kScatterKind, kSelectAndScatterKind,
    kSortKind, kTopkKind, kTriangularSolveKind;

// Answers and makers that several kinds have in common.
inline bool IsAlwaysExact(const HloInstruction&) { return true; }
inline bool TakesAll(const HloInstruction&) { return true; }
inline bool ReadsAll(const HloInstruction&, std::size_t) { return true; }
template <class Kernel>
KernelProgram MakeBy(const HloComputation& fused) {
  return Kernel(fused).Make();
}

// Returns all kinds. The first kind that takes an instruction computes it.
std::span<const KernelKind* const> AllKernelKinds();
// Returns the kind that computes the instruction; null if the host does.
const KernelKind* KernelKindOf(const HloInstruction& instruction, Exactness exactness);

// Returns the ops that some kind takes, sorted.
std::vector<std::string_view> AcceleratedOps();

}  // namespace assay::cuda
