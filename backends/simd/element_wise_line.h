// A computation of element-wise instructions as a line of kernels over blocks of elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "interpreter/hlo/op.h"

namespace assay::simd {

// What the backend runs for an element-wise instruction: its own kernel, or the evaluator's. Empty where the op has
// none for these types.
Kernel KernelOf(const HloInstruction& instruction);

// Of a computation that is op(parameter 0, parameter 1), on scalars of that type: what folds n elements into n others,
// which may be its result too. Empty where there is none that may.
Kernel FoldingKernel(const HloComputation& computation, PrimitiveType type);

// Whether an instruction is element-wise on arrays of its own dimensions and scalars.
bool IsElementWise(const HloInstruction& instruction);

// Whether it is a broadcast whose element i is element (i / inner) % count of the operand: of a scalar, or into result
// dimensions that follow each other.
bool IsRepetition(const HloInstruction& instruction);

class ElementWiseLine {
 public:
  // Null where a computation has anything else in it, or a broadcast of anything but a parameter or a scalar.
  static std::shared_ptr<const ElementWiseLine> Make(const HloComputation& computation);

  // Elements [begin, end) of the result, from the whole parameters. Several threads may run at once.
  void Run(std::span<const std::byte* const> parameters, std::byte* result, std::int64_t begin, std::int64_t end) const;

 private:
  // Where a value of a block is: among a parameter's elements, or in scratch memory.
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
  // A parameter's elements, each `inner` times and all of them over and over, in a cell of their own.
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
