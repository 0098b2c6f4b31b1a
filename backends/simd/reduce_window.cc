#include "backends/simd/reduce_window.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include "backends/simd/element_wise_line.h"
#include "backends/simd/reduce.h"
#include "backends/simd/window_place.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/repeat.h"

namespace assay::simd {
namespace {

// The evaluator folds windows of more cells, unless they are long in one dimension only.
constexpr std::int64_t kMostCells = 64;
// Windows along one dimension from this size on are folded in blocks.
constexpr std::int64_t kShortestLongWindow = 32;
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

// A fold over long windows along one dimension of [outer, line, inner].
class LongWindowFold {
 public:
  static std::optional<LongWindowFold> Of(const HloInstruction& instruction) {
    const PrimitiveType type = instruction.shape.element_type();
    const auto fold = LongWindowsFold(instruction.Computation("to_apply"), type);
    const std::vector<WindowDimension>& window = instruction.window().dimensions;
    if (fold == nullptr || std::ranges::count_if(window, IsTrivial) + 1 != std::ssize(window)) return std::nullopt;
    const std::int64_t line = std::ranges::find_if_not(window, IsTrivial) - window.begin();
    const auto& axis = window[line];
    if (axis.size < kShortestLongWindow || axis.stride != 1 || axis.window_dilation != 1 || axis.base_dilation != 1) {
      return std::nullopt;
    }
    return LongWindowFold(instruction, fold, line);
  }

  void Run(const std::byte* in, const std::byte* start, std::byte* out) const {
    const std::int64_t inner = windows_.width, blocks = (inner + kColumns - 1) / kColumns;
    const std::int64_t work = windows_.n * std::min(inner, kColumns);
    ParallelFor(outer_ * blocks, GrainOfRows(work, kComputedPerPiece), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        CheckLimits();
        const std::int64_t row = i / blocks, column = i % blocks * kColumns;
        LongWindows windows = windows_;
        windows.columns = std::min(kColumns, inner - column);
        fold_(in + (row * windows.n * inner + column) * bytes_, windows, start,
              out + (row * windows.positions * inner + column) * bytes_);
      }
    });
  }

 private:
  static constexpr std::int64_t kColumns = 64;

  LongWindowFold(const HloInstruction& instruction, FoldLongWindowsFunction fold, std::int64_t line)
      : fold_(fold), bytes_(StorageBytes(instruction.shape.element_type())) {
    const Shape& array = instruction.operand(0).shape;
    const WindowDimension& axis = instruction.window().dimensions[line];
    windows_ = {.n = array.dimensions(line),
                .width = 1,
                .columns = 1,
                .positions = instruction.shape.dimensions(line),
                .size = axis.size,
                .padding = axis.padding_low};
    for (std::int64_t d = 0; d < array.rank(); ++d) {
      if (d != line) (d < line ? outer_ : windows_.width) *= array.dimensions(d);
    }
  }

  FoldLongWindowsFunction fold_;
  int bytes_;
  LongWindows windows_;
  std::int64_t outer_ = 1;
};

// Returns a function that runs a fold.
template <class Fold>
PreparedFunction FunctionOf(const Fold& fold, const HloInstruction& instruction) {
  return [fold, &instruction](std::span<Literal> operands, Evaluation&) {
    Literal result = Literal::Uninitialized(instruction.shape);
    if (result.element_count() > 0) fold.Run(operands[0].data(), operands[1].data(), result.mutable_data());
    return result;
  };
}

// The evaluator computes other types of accumulators, and windows over several arrays.
PreparedFunction PrepareReduceWindow(const HloInstruction& instruction, const OpOverrides&) {
  const PrimitiveType type = instruction.shape.element_type();
  if (instruction.operands.size() != 2 || instruction.operand(0).shape.element_type() != type) return {};
  if (const auto fold = LongWindowFold::Of(instruction)) return FunctionOf(*fold, instruction);
  const HloComputation& to_apply = instruction.Computation("to_apply");
  const Kernel kernel = FoldingKernel(to_apply, type);
  if (kernel == nullptr) return {};
  const WindowFold fold(instruction, kernel, WindowsFold(to_apply, type));
  if (fold.cells() > kMostCells || fold.row_size() < kShortestRun) return {};
  return FunctionOf(fold, instruction);
}

constexpr std::string_view kNames[] = {"reduce-window"};

}  // namespace

const Family kReduceWindow = {.ops = kNames, .prepare = PrepareReduceWindow};

}  // namespace assay::simd
