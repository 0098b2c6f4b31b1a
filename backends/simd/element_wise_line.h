// A computation of element-wise instructions as a sequence of kernels over blocks of elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "interpreter/hlo/op.h"

namespace assay::simd {

// Returns the kernel of an element-wise instruction: the backend's own, or the evaluator's. Empty if the op has none
// for these types.
Kernel KernelOf(const HloInstruction& instruction);

// Returns a kernel that folds n elements into n others and may write to these. Empty unless the computation is
// op(parameter 0, parameter 1) on scalars of the type, for an op with such a loop.
Kernel FoldingKernel(const HloComputation& computation, PrimitiveType type);

// True if the instruction is element-wise on arrays of its own dimensions and scalars.
bool IsElementWise(const HloInstruction& instruction);

// True for a broadcast whose element i is element (i / inner) % count of the operand: of a scalar, or into consecutive
// result dimensions.
bool IsRepetition(const HloInstruction& instruction);

class ElementWiseLine {
 public:
  // Returns the line of a computation; null if it contains anything else, or a broadcast of anything but a parameter or
  // a scalar.
  static std::shared_ptr<const ElementWiseLine> Make(const HloComputation& computation);

  // Computes the elements [begin, end) of the result from the whole parameters. Thread-safe.
  void Run(std::span<const std::byte* const> parameters, std::byte* result, std::int64_t begin, std::int64_t end) const;

 private:
  // The location of a value in a block: a parameter's elements, or scratch memory.
  struct Cell {
    int parameter = -1;
    std::int64_t offset = 0;  // in scratch memory, in bytes
    int bytes = 0;            // of an element
  };
  struct Step {
    Kernel kernel;
    std::vector<Cell> operands;
    Cell result;
  };
  struct Constant {
    const Literal* literal;
    Cell cell;
  };
  // A parameter's elements, each repeated `inner` times and all repeated cyclically, in their own cell.
  struct Repetition {
    int parameter;
    std::int64_t inner, count;
    Cell cell;
  };

  class Builder;

  static void Repeat(const Repetition& repetition, const std::byte* from, std::byte* to, std::int64_t begin,
                     std::int64_t count);

  std::vector<Step> steps_;
  std::vector<Constant> constants_;
  std::vector<Repetition> repetitions_;
  Cell root_;
  std::int64_t scratch_bytes_ = 0;
};

}  // namespace assay::simd
