// Gathers the instructions of a module into kernels.
#pragma once

#include <unordered_map>
#include <vector>

#include "backends/cuda/kernels/kind.h"
#include "interpreter/hlo/module.h"

namespace assay::cuda {

// Fusions that stand for a kernel each, and what kind of kernel the root of their computation is.
using KernelFusions = std::unordered_map<const HloInstruction*, const KernelKind*>;

// Puts every instruction that a kind of kernel computes into a fusion, in the computations that run instruction by
// instruction: not in those that are applied to elements. An instruction whose users are all in one kernel that reads
// it element by element becomes part of it. The module computes the same.
KernelFusions Fuse(HloModule& module, Exactness exactness);

// The computations that run instruction by instruction, the entry and what control flow calls, in no particular order.
std::vector<HloComputation*> WalkedComputations(const HloModule& module);
// Whether the instruction hands its operands to other computations and returns what they return.
bool IsControlFlow(const HloInstruction& instruction);

}  // namespace assay::cuda
