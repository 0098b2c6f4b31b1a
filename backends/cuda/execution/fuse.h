// Groups the instructions of a module into kernels.
#pragma once

#include <unordered_map>
#include <vector>

#include "backends/cuda/kernels/kind.h"
#include "interpreter/hlo/module.h"

namespace assay::cuda {

// The fusions that represent kernels, with the kind of kernel for the root of their computation.
using KernelFusions = std::unordered_map<const HloInstruction*, const KernelKind*>;

// Moves every instruction that a kind of kernel computes into a fusion, in the computations that run instruction by
// instruction, not in those that are applied to elements. An instruction joins a kernel if all of its users are in that
// kernel and read it element by element. The module computes the same values.
KernelFusions Fuse(HloModule& module, Exactness exactness);

// Returns the computations that run instruction by instruction: the entry and those that control flow calls, in no
// particular order.
std::vector<HloComputation*> WalkedComputations(const HloModule& module);
// True if the instruction passes its operands to other computations and returns their results.
bool IsControlFlow(const HloInstruction& instruction);

}  // namespace assay::cuda
