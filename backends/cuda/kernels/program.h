// What the device runs for one instruction: launches of kernels, as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backends/cuda/kernels/matmul.h"

namespace assay::cuda {

struct KernelArgument {
  enum Kind { kOperand, kResult, kScratch, kNumber };
  Kind kind = kOperand;
  // Which operand; which array of the result, in the order of its shape's leaves; which scratch memory; the number
  // itself, an s64 of the kernel.
  std::int64_t index = 0;
};

// One launch. The text is a whole translation unit whose entry is `kernel`.
struct KernelLaunch {
  std::string text;
  std::int64_t blocks = 1;
  int threads = 1;  // of a block
  std::vector<KernelArgument> arguments;
};

// Launches in their order. Arrays without elements have no memory, so no kernel may touch them.
struct KernelProgram {
  std::vector<KernelLaunch> launches;
  std::vector<std::int64_t> scratch_bytes;
  // The array of this operand becomes that of the result, which the kernels change in part: the memory itself where
  // nothing else needs the operand, else a copy. -1: the result's memory is new, and the kernels write all of it.
  int updated_operand = -1;
  // Scratch memory 0 has u64 numbers: how many elements of the result are in doubt, and which, of the first so many.
  // The reference computes them again.
  static constexpr std::int64_t kMostDoubts = 4095;
  bool has_doubts = false;
  // What a library may compute of two operands, by their numbers, in the place of the launches.
  std::optional<Matmul> matmul = {};
  std::size_t matmul_lhs = 0, matmul_rhs = 0;
};

}  // namespace assay::cuda
