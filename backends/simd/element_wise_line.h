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

// Whether an instruction may be one of a line: element-wise on arrays of its own dimensions, or one number repeated.
bool IsElementWise(const HloInstruction& instruction);

class ElementWiseLine {
 public:
  // Null where a computation has anything else in it. Its parameters are arrays of the result's dimensions, or scalars.
  static std::shared_ptr<const ElementWiseLine> Make(const HloComputation& computation);

  // n elements of each parameter to n of the result; scalar parameters are repeated like any other array.
  void Run(std::span<const std::byte* const> parameters, std::byte* result, std::int64_t n) const;

 private:
  // Where a value of a block is: a parameter's elements, or scratch memory.
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

  bool Append(const HloComputation& computation);

  std::vector<Step> steps_;
  std::vector<Constant> constants_;
  Cell root_;
  std::int64_t scratch_bytes_ = 0;
};

}  // namespace assay::simd
