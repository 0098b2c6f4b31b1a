// The device program of one instruction: launches of kernels, as text.
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
  // The number of the operand, of the result's array in the order of its shape's leaves, or of the scratch memory; or
  // the number itself, an s64 of the kernel.
  std::int64_t index = 0;
};

// A product that a library computes. Its matrices are arguments that are arrays. The result begins `result_offset`
// bytes after the start of its array.
struct LibraryProduct {
  Matmul matmul;
  KernelArgument lhs, rhs, result;
  std::int64_t result_offset = 0;
};

// One launch. The text is a complete translation unit whose entry is `kernel`.
struct KernelLaunch {
  std::string text;
  std::int64_t blocks = 1;
  int threads = 1;  // threads of a block
  std::vector<KernelArgument> arguments;
  // Replaces the kernel.
  std::optional<LibraryProduct> product = {};
};

// The terms of sums whose rounding the kernels cannot decide. `gather` is a launch over a range of terms of doubtful
// elements, with as many blocks as the range needs. Its arguments are operands, results, the list of doubts, memory for
// f64 numbers, and the first and the last number of the range, exclusive.
struct DoubtfulSums {
  std::int64_t n = 0;  // terms of an element
  int parts = 1;       // parts of a number: two for complex ones
  bool are_products = false;
  KernelLaunch gather;

  std::int64_t NumbersOfTerm() const { return parts * (are_products ? 2 : 1); }
};

// Launches in their order. Arrays without elements have no memory, so kernels must not access them.
struct KernelProgram {
  std::vector<KernelLaunch> launches;
  std::vector<std::int64_t> scratch_bytes;
  // The operand whose array becomes that of the result, which the kernels change in part. The memory is the operand's
  // own if nothing else needs the operand; otherwise it is a copy. -1: the result's memory is new, and the kernels
  // write all of it.
  int updated_operand = -1;
  // True if scratch memory 0 is a list of u64 numbers: the number of doubtful elements of the result, then the first
  // kMostDoubts of them. The reference computes these elements again.
  static constexpr std::int64_t kMostDoubts = 4095;
  bool has_doubts = false;
  // Set if the doubtful elements are sums; otherwise they are a function of the operands' elements.
  std::optional<DoubtfulSums> doubtful_sums = {};
  // The launches that replace the others if a library computes all of their products.
  struct OfLibrary {
    std::vector<KernelLaunch> launches;
    std::vector<std::int64_t> scratch_bytes = {};
  };
  std::optional<OfLibrary> of_library = {};
};

}  // namespace assay::cuda
