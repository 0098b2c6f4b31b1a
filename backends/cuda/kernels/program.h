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

// A product that a library computes, and its matrices: arguments that are arrays. The result's begins so many bytes
// behind the start of its array.
struct LibraryProduct {
  Matmul matmul;
  KernelArgument lhs, rhs, result;
  std::int64_t result_offset = 0;
};

// One launch. The text is a whole translation unit whose entry is `kernel`.
struct KernelLaunch {
  std::string text;
  std::int64_t blocks = 1;
  int threads = 1;  // of a block
  std::vector<KernelArgument> arguments;
  // In the place of a kernel.
  std::optional<LibraryProduct> product = {};
};

// Elements of a result that are sums the kernels may be in doubt of. A launch over numbers of terms, whose blocks are
// as many as they need, writes terms of doubtful elements: operands, results, the list of doubts, memory for f64
// numbers, and which terms of all it writes, from the first to behind the last.
struct DoubtfulSums {
  std::int64_t n = 0;  // terms of an element
  int parts = 1;       // of a number: two of a complex one
  bool are_products = false;
  KernelLaunch gather;

  std::int64_t NumbersOfTerm() const { return parts * (are_products ? 2 : 1); }
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
  // Where they are sums; else the result is a function of elements of the operands.
  std::optional<DoubtfulSums> doubtful_sums = {};
  // What takes over where a library computes all products in it.
  struct OfLibrary {
    std::vector<KernelLaunch> launches;
    std::vector<std::int64_t> scratch_bytes = {};
  };
  std::optional<OfLibrary> of_library = {};
};

}  // namespace assay::cuda
