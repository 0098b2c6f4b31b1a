// A computation of element-wise instructions, with reductions of rows, broadcasts to rows and gathers of rows, as a
// sequence of kernels over blocks of elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "backends/simd/gather_rows.h"
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

// The dimensions of a line's arrays. With reductions, `whole` are those of their operands and `rows` those of their
// results, which are the first of `whole`. With gathers, `whole` are those of their results, and `rows` number the
// rows. Otherwise all arrays have the dimensions `whole`. `rows` has at least one dimension.
struct LineDimensions {
  Dimensions whole;
  std::optional<Dimensions> rows;

  // Returns the dimensions of a line with the reduction of rows; nullopt for another instruction, and for a reduction
  // to a scalar.
  static std::optional<LineDimensions> OfReduction(const HloInstruction& instruction);
  // Returns the dimensions of a line with the gather of rows; nullopt for another instruction, and for a gather of one
  // row by a single index vector.
  static std::optional<LineDimensions> OfGather(const HloInstruction& instruction);

  bool IsWhole(const HloInstruction& instruction) const { return instruction.shape.dimensions() == whole; }
  // True for an array with one element for each row.
  bool IsColumn(const HloInstruction& instruction) const { return rows && instruction.shape.dimensions() == *rows; }
  // True for a reduction of rows.
  bool IsReduction(const HloInstruction& instruction) const;
  // True for a gather of rows.
  bool IsGather(const HloInstruction& instruction) const;
  // True for a broadcast of one element to each row.
  bool IsBroadcastToRows(const HloInstruction& instruction) const;
};

class ElementWiseLine {
 public:
  // Returns the line that computes `root`, the root of the computation or an operand of it that all other instructions
  // lead to. Returns null if these contain anything else, or another broadcast than those to rows, of a parameter, and
  // of a scalar.
  static std::shared_ptr<const ElementWiseLine> Make(const HloInstruction& root);

  // The number of rows; of elements if there are no reductions.
  std::int64_t rows() const { return rows_; }
  // The elements of a row.
  std::int64_t columns() const { return columns_; }

  // The size of what a row adds to the result.
  std::int64_t row_bytes() const { return root_.width * root_.bytes; }

  // True if the result may take the place of this parameter: only elements at the same place are computed from it.
  bool MayReplace(int parameter) const;

  // Computes the rows [begin, end) of the result from the whole parameters, and writes them to `to`. Thread-safe.
  void Run(std::span<const std::byte* const> parameters, std::byte* to, std::int64_t begin, std::int64_t end) const;

 private:
  // The location of a value in a block: a parameter's elements, or scratch memory.
  struct Cell {
    int parameter = -1;
    std::int64_t offset = 0;  // in scratch memory, in bytes
    int bytes = 0;            // of an element
    std::int64_t width = 1;   // the elements for each row
  };
  struct Step {
    Kernel kernel;
    bool may_overwrite;  // it reads an element of its operands before it writes the one at the same place
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

    // True if all rows are alike, so that the cell is filled once for all blocks.
    bool IsAlikeInRows() const { return count == 1 || cell.width % (inner * count) == 0; }
  };

  // Rows of a parameter that the indices of another one select, in their own cell.
  struct Gathering {
    RowGather gather;
    int operand, indices;
    Cell cell;
  };

  class Builder;

  std::int64_t RowsPerBlock() const;
  void RunBlock(std::span<const std::byte* const> parameters, std::byte* scratch, std::byte* to, std::int64_t first,
                std::int64_t rows) const;

  static void Repeat(const Repetition& repetition, const std::byte* from, std::byte* to, std::int64_t begin,
                     std::int64_t count);

  std::vector<Step> steps_;
  std::vector<Constant> constants_;
  std::vector<Repetition> repetitions_;
  std::vector<Gathering> gatherings_;
  Cell root_;
  std::int64_t rows_ = 0, columns_ = 1;
  std::int64_t scratch_bytes_ = 0;
};

}  // namespace assay::simd
