// Walks over the elements under a window that moves over a base area: the loops of reduce-window and
// select-and-scatter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "interpreter/hlo/attributes.h"
#include "interpreter/kernels/common/cell_run.h"
#include "interpreter/types/shape.h"

namespace assay {

// One dimension of the walk.
struct WalkDimension {
  WindowDimension window;
  std::int64_t base_size = 1;
  std::int64_t positions = 1;
  std::int64_t first_cell = 0;  // the cells that are over an element at some position are in
  std::int64_t cell_count = 1;  // [first_cell, first_cell + cell_count)

  // True if the window is one cell that visits each element once.
  bool IsPlain() const { return window == WindowDimension() && positions == base_size; }
};

// Consecutive positions of the window, in row-major order: one position in each of the outer dimensions, a range in the
// dimension that is cut into blocks, and all positions of the inner dimensions.
struct PositionBlock {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t outer = 0;  // row-major position in the outer dimensions
  std::int64_t begin = 0;  // the range
  std::int64_t end = 0;
};

// The positions first_position + t * position_step of a block, at which a cell is over the elements first_element + t *
// element_step of the base, for 0 <= t < count.
using ElementRun = CellRun;

class WindowWalk {
 public:
  // Takes the sizes of the base and a legal window, by the rules of window_rules.h. Throws EvaluationError if the
  // window has too many cells on elements to walk.
  WindowWalk(const Dimensions& base, const Window& window, std::int64_t positions_per_block = 8192);

  // The dimensions, as few as possible: neighbouring plain ones are merged.
  const std::vector<WalkDimension>& dimensions() const { return dimensions_; }
  // The number of cells of the window that are over an element at some position. Row-major order is the canonical
  // order.
  std::int64_t cell_count() const { return cell_count_; }
  std::int64_t position_count() const { return position_count_; }
  // Returns the position of a cell among all cells of the window, row-major.
  std::int64_t OffsetInWindow(std::int64_t cell) const;

  // All positions, in blocks of at most positions_per_block.
  std::int64_t block_count() const;
  PositionBlock block(std::int64_t i) const;

  // Finds the positions of a block at which cell `cell` is over an element. Every position occurs at most once.
  void FindRuns(const PositionBlock& block, std::int64_t cell, std::vector<ElementRun>& runs) const;

  // Returns the elements under the window at one position, in canonical order.
  std::vector<std::int64_t> ElementsAt(std::int64_t position) const;

 private:
  std::vector<WalkDimension> dimensions_;
  std::int64_t cell_count_ = 1;
  std::int64_t position_count_ = 1;
  std::int64_t cut_ = 0;              // the dimension cut into blocks
  std::int64_t rows_per_block_ = 1;   // positions of a block in that dimension
  std::int64_t positions_below_ = 1;  // positions for each one of it
};

// Copy between dense elements, in the order of all runs, and an array whose elements or positions the runs name.
// Elements have a size of 1, 2, 4, 8 or 16 bytes.
void GatherElements(std::span<const ElementRun> runs, int bytes, const std::byte* base, std::byte* dense);
void GatherPositions(std::span<const ElementRun> runs, int bytes, const std::byte* block, std::byte* dense);
void ScatterPositions(std::span<const ElementRun> runs, int bytes, const std::byte* dense, std::byte* block);
std::int64_t TotalCount(std::span<const ElementRun> runs);

}  // namespace assay
