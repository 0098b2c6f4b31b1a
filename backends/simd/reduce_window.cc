#include "backends/simd/reduce_window.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "backends/simd/element_wise_line.h"
#include "backends/simd/reduce.h"
#include "backends/simd/window_place.h"
#include "interpreter/numerics/fill.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"

namespace assay::simd {
namespace {

// The evaluator is faster for the large windows of cumulative sums.
constexpr std::int64_t kMostCells = 64;
// Shorter rows are not faster.
constexpr std::int64_t kShortestRun = 8;

bool IsTrivial(const WindowDimension& axis) {
  return axis.size == 1 && axis.stride == 1 && axis.padding_low == 0 && axis.padding_high == 0 &&
         axis.base_dilation == 1;
}

// A fold over windows of an array [outer axes..., line, run]. The last dimensions, each element of which is its own
// window, form the run. The axis before them is the line, which is folded as a whole: by the kernel if its windows are
// one element apart, otherwise by the fold of windows.
class WindowFold {
 public:
  WindowFold(const HloInstruction& instruction, Kernel kernel, FoldWindowsFunction fold_windows)
      : kernel_(std::move(kernel)),
        fold_windows_(fold_windows),
        bytes_(StorageBytes(instruction.shape.element_type())) {
    const Shape& array = instruction.operand(0).shape;
    const std::vector<WindowDimension>& window = instruction.window().dimensions;
    std::int64_t rank = array.rank();
    for (; rank > 0 && IsTrivial(window[rank - 1]); --rank) run_ *= array.dimensions(rank - 1);
    const bool has_long_runs = run_ >= kShortestRun && fold_windows != nullptr;
    if (rank > 0 && window[rank - 1].base_dilation == 1 && (window[rank - 1].stride == 1 || has_long_runs)) {
      --rank;
      line_ = {window[rank], array.dimensions(rank), instruction.shape.dimensions(rank)};
    }
    for (std::int64_t d = 0; d < rank; ++d) {
      outer_.push_back({window[d], array.dimensions(d), instruction.shape.dimensions(d)});
      rows_ *= outer_.back().positions;
      cells_ *= window[d].size;
    }
  }

  std::int64_t row_size() const { return line_.positions * run_; }
  std::int64_t cells() const { return cells_ * line_.window.size; }

  void Run(const std::byte* in, const std::byte* start, std::byte* out) const {
    const std::int64_t work = std::max<std::int64_t>(1, row_size() * cells());
    ParallelFor(rows_, GrainOfRows(work, kComputedPerPiece), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) {
        CheckLimits();
        std::byte* const to = out + row * row_size() * bytes_;
        FillWith(bytes_, start, to, row_size());
        for (std::int64_t cell = 0; cell < cells_; ++cell) {
          const std::int64_t place = PlaceOf(row, cell);
          if (place >= 0) FoldLine(in + place * line_.places * run_ * bytes_, to);
        }
      }
    });
  }

 private:
  struct Axis {
    WindowDimension window;
    std::int64_t places = 1, positions = 1;
  };

  // Returns the place among the outer axes; -1 if the cell is on padding or in a hole.
  std::int64_t PlaceOf(std::int64_t row, std::int64_t cell) const {
    std::int64_t place = 0, step = 1;
    for (std::size_t i = outer_.size(); i-- > 0;) {
      const auto& [window, places, positions] = outer_[i];
      const std::int64_t along = PlaceUnder(window, row % positions, cell % window.size, places);
      if (along < 0) return -1;
      place += along * step;
      step *= places;
      row /= positions;
      cell /= window.size;
    }
    return place;
  }

  void FoldLine(const std::byte* in, std::byte* out) const {
    if (line_.window.stride != 1) return FoldStridedLine(in, out);
    for (std::int64_t cell = 0; cell < line_.window.size; ++cell) {
      const std::int64_t shift = cell * line_.window.window_dilation - line_.window.padding_low;
      const std::int64_t first = std::max<std::int64_t>(0, -shift),
                         end = std::min(line_.positions, line_.places - shift);
      if (first >= end) continue;
      std::byte* const to = out + first * run_ * bytes_;
      const std::byte* const both[] = {to, in + (first + shift) * run_ * bytes_};
      kernel_(both, to, (end - first) * run_);
    }
  }

  // The cells [first, first + count) of a window that are not on padding.
  struct Cells {
    std::int64_t first, count;
    bool operator==(const Cells&) const = default;
  };
  Cells CellsAt(std::int64_t position) const {
    const WindowDimension& window = line_.window;
    Cells cells = {0, 0};
    for (std::int64_t cell = 0; cell < window.size; ++cell) {
      if (PlaceUnder(window, position, cell, line_.places) < 0) continue;
      if (cells.count++ == 0) cells.first = cell;
    }
    return cells;
  }

  // Folds positions whose windows have the same cells together.
  void FoldStridedLine(const std::byte* in, std::byte* out) const {
    const WindowDimension& window = line_.window;
    for (std::int64_t position = 0; position < line_.positions;) {
      const Cells cells = CellsAt(position);
      std::int64_t end = position + 1;
      while (end < line_.positions && CellsAt(end) == cells) ++end;
      if (cells.count > 0) {
        const std::int64_t place = PlaceUnder(window, position, cells.first, line_.places);
        fold_windows_(in + place * run_ * bytes_,
                      {.n = cells.count,
                       .width = window.window_dilation * run_,
                       .columns = run_,
                       .positions = end - position,
                       .step = window.stride * run_},
                      out + position * run_ * bytes_);
      }
      position = end;
    }
  }

  Kernel kernel_;
  FoldWindowsFunction fold_windows_;
  int bytes_;
  std::vector<Axis> outer_;
  Axis line_;
  std::int64_t run_ = 1, rows_ = 1, cells_ = 1;
};

// The evaluator computes other types of accumulators, and windows over several arrays.
PreparedFunction PrepareReduceWindow(const HloInstruction& instruction) {
  if (instruction.operands.size() != 2) return {};
  const Kernel kernel = FoldingKernel(instruction.Computation("to_apply"), instruction.shape.element_type());
  if (kernel == nullptr || instruction.operand(0).shape.element_type() != instruction.shape.element_type()) return {};
  const WindowFold fold(instruction, kernel,
                        WindowsFold(instruction.Computation("to_apply"), instruction.shape.element_type()));
  if (fold.cells() > kMostCells || fold.row_size() < kShortestRun) return {};
  return [fold, &instruction](std::span<Literal> operands, Evaluation&) {
    Literal result = Literal::Uninitialized(instruction.shape);
    if (result.element_count() > 0) fold.Run(operands[0].data(), operands[1].data(), result.mutable_data());
    return result;
  };
}

constexpr std::string_view kNames[] = {"reduce-window"};

}  // namespace

const Family kReduceWindow = {.ops = kNames, .prepare = PrepareReduceWindow};

}  // namespace assay::simd
