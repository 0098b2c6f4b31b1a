#include "backends/simd/scatter.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "backends/simd/element_wise_line.h"
#include "backends/simd/elementwise.h"
#include "interpreter/numerics/convert.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/load_integer.h"
#include "interpreter/types/parallel.h"

namespace assay::simd {
namespace {

bool Contains(std::span<const std::int64_t> numbers, std::int64_t number) {
  return std::ranges::find(numbers, number) != numbers.end();
}

// The windows of the updates, in the order of the indices.
class Windows {
 public:
  Windows(const HloInstruction& scatter, const Literal& indices, const Shape& operand, const Shape& update)
      : indices_(indices), map_(scatter.Int64s("scatter_dims_to_operand_dims")), bounds_(operand.rank()) {
    AddWindowAxes(scatter, operand, update);
    AddPositions(scatter, update);
  }

  // The number of windows.
  std::int64_t count() const { return CountOf(positions_); }
  // The number of elements of a window.
  std::int64_t elements() const { return CountOf(axes_) * run_; }

  // Finds the offsets at which the windows [begin, end) start. They are negative in the operand if the window is not
  // entirely inside.
  void Find(std::int64_t begin, std::int64_t end, RunStart* places) const {
    const Axis inner = positions_.back();
    for (std::int64_t at = begin; at < end;) {
      const std::int64_t first = at % inner.size, count = std::min(inner.size - first, end - at);
      std::int64_t index = first * inner.operand_stride, update = first * inner.update_stride;
      std::int64_t outer = at / inner.size;
      for (std::size_t i = positions_.size() - 1; i-- > 0; outer /= positions_[i].size) {
        index += outer % positions_[i].size * positions_[i].operand_stride;
        update += outer % positions_[i].size * positions_[i].update_stride;
      }
      FindInARow(index, update, count, places + (at - begin));
      at += count;
    }
  }

  // The number of elements that are neighbors in both arrays.
  std::int64_t run() const { return run_; }
  // True if each window is one run.
  bool are_runs() const { return axes_.empty(); }
  // True if each window is a run that starts at a multiple of its length.
  bool are_rows() const {
    return are_runs() && std::ranges::all_of(map_, [&](std::int64_t d) { return operand_strides_[d] % run_ == 0; });
  }

  // Appends the runs of a window.
  void AppendRuns(RunStart place, std::vector<RunStart>& runs) const {
    std::vector<std::int64_t> at(axes_.size());
    do {
      runs.push_back(place);
    } while (Advance(at, place.to, place.from));
  }

 private:
  struct Axis {
    std::int64_t size, operand_stride, update_stride;  // for positions_, operand_stride is that of the indices
  };

  static std::int64_t CountOf(const std::vector<Axis>& axes) {
    std::int64_t count = 1;
    for (const Axis& axis : axes) count *= axis.size;
    return count;
  }

  void AddWindowAxes(const HloInstruction& scatter, const Shape& operand, const Shape& update) {
    const auto window_dims = scatter.Int64s("update_window_dims"), inserted = scatter.Int64s("inserted_window_dims");
    const std::vector<std::int64_t> update_strides = RowMajorStrides(update.dimensions());
    operand_strides_ = RowMajorStrides(operand.dimensions());
    for (std::int64_t d = 0; d < operand.rank(); ++d) bounds_[d] = operand.dimensions(d) - 1;
    std::size_t next = 0;
    for (std::int64_t d = 0; d < operand.rank(); ++d) {
      if (Contains(inserted, d)) continue;
      const std::int64_t of_update = window_dims[next++];
      const std::int64_t size = update.dimensions(of_update);
      axes_.push_back({size, operand_strides_[d], update_strides[of_update]});
      bounds_[d] = operand.dimensions(d) - size;
    }
    // Elements that are neighbors in both arrays are combined together.
    while (!axes_.empty() && axes_.back().operand_stride == run_ && axes_.back().update_stride == run_) {
      run_ *= axes_.back().size;
      axes_.pop_back();
    }
  }

  void AddPositions(const HloInstruction& scatter, const Shape& update) {
    const std::int64_t vector_dim = scatter.Int64("index_vector_dim");
    const std::vector<std::int64_t> update_strides = RowMajorStrides(update.dimensions());
    const std::vector<std::int64_t> index_strides = RowMajorStrides(indices_.shape().dimensions());
    vector_stride_ = vector_dim < indices_.shape().rank() ? index_strides[vector_dim] : 0;
    std::int64_t of_indices = 0;
    positions_.push_back({1, 0, 0});
    for (std::int64_t d = 0; d < update.rank(); ++d) {
      if (Contains(scatter.Int64s("update_window_dims"), d)) continue;
      if (of_indices == vector_dim) ++of_indices;
      const Axis axis = {update.dimensions(d), index_strides[of_indices++], update_strides[d]};
      Axis& last = positions_.back();
      const bool continues = last.operand_stride == axis.size * axis.operand_stride &&
                             last.update_stride == axis.size * axis.update_stride;
      if (last.size == 1) {
        last = axis;
      } else if (continues) {
        last = {last.size * axis.size, axis.operand_stride, axis.update_stride};
      } else {
        positions_.push_back(axis);
      }
    }
  }

  // Finds `count` windows along the last axis of the positions, from these offsets on.
  void FindInARow(std::int64_t index, std::int64_t update, std::int64_t count, RunStart* places) const {
    const Axis inner = positions_.back();
    for (std::int64_t i = 0; i < count; ++i) places[i] = {0, update + i * inner.update_stride};
    for (std::size_t k = 0; k < map_.size(); ++k, index += vector_stride_) {
      const std::int64_t bound = bounds_[map_[k]], stride = operand_strides_[map_[k]];
      ForStarts(index, inner.operand_stride, count, [&](std::int64_t i, std::int64_t start) {
        const bool is_inside = start >= 0 && start <= bound && places[i].to >= 0;
        places[i].to = is_inside ? places[i].to + start * stride : -1;
      });
    }
  }

  // Calls visit(i, number) for `count` indices.
  template <class Visit>
  void ForStarts(std::int64_t offset, std::int64_t stride, std::int64_t count, const Visit& visit) const {
    constexpr std::int64_t kMost = 256;
    std::uint64_t numbers[kMost];
    const PrimitiveType type = indices_.element_type();
    const int bytes = StorageBytes(type);
    for (std::int64_t first = 0; first < count; first += kMost) {
      const std::int64_t here = std::min(kMost, count - first);
      const std::byte* const in = indices_.data() + (offset + first * stride) * bytes;
      if (stride == 1) LoadIntegers(type, in, numbers, here);
      for (std::int64_t i = 0; i < here; ++i) {
        visit(first + i,
              stride == 1 ? static_cast<std::int64_t>(numbers[i]) : LoadInteger(type, in + i * stride * bytes));
      }
    }
  }

  // Advances to the next index of a window. Returns false after the last one.
  bool Advance(std::vector<std::int64_t>& at, std::int64_t& to, std::int64_t& from) const {
    for (std::size_t i = axes_.size(); i-- > 0;) {
      to += axes_[i].operand_stride;
      from += axes_[i].update_stride;
      if (++at[i] < axes_[i].size) return true;
      to -= axes_[i].size * axes_[i].operand_stride;
      from -= axes_[i].size * axes_[i].update_stride;
      at[i] = 0;
    }
    return false;
  }

  const Literal& indices_;
  std::span<const std::int64_t> map_;
  std::vector<std::int64_t> bounds_;  // the last start of a window that is inside
  std::vector<std::int64_t> operand_strides_;
  std::vector<Axis> axes_;       // of a window
  std::vector<Axis> positions_;  // of the index vectors; at least one
  std::int64_t vector_stride_ = 0;
  std::int64_t run_ = 1;
};

// Combines windows of updates with an array, one after the other.
class Combiner {
 public:
  // Leaves out windows that do not start at the elements [begin, end) of the array.
  Combiner(const Windows& windows, FoldRuns fold, std::byte* array, std::int64_t begin = 0,
           std::int64_t end = std::numeric_limits<std::int64_t>::max())
      : windows_(windows), fold_(fold), array_(array), begin_(begin), end_(end) {}

  // Combines the windows [begin, end) with the updates, which are those from offset `first` on.
  void Combine(std::int64_t begin, std::int64_t end, const std::byte* updates, std::int64_t first) {
    constexpr std::int64_t kMost = 256;
    LimitCheck check;
    RunStart places[kMost];
    for (; begin < end && windows_.elements() > 0; begin += kMost) {
      check();
      const std::int64_t inside = FindInside(begin, std::min(end, begin + kMost), first, places);
      if (windows_.are_runs()) {
        fold_(array_, updates, {places, places + inside}, windows_.run());
        continue;
      }
      for (std::int64_t i = 0; i < inside; ++i) {
        runs_.clear();
        windows_.AppendRuns(places[i], runs_);
        fold_(array_, updates, runs_, windows_.run());
      }
    }
  }

 private:
  // Finds those of the windows [begin, end) that start where they may, and returns their number. No branch depends on
  // it, because it would be hard to predict.
  std::int64_t FindInside(std::int64_t begin, std::int64_t end, std::int64_t first, RunStart* places) const {
    windows_.Find(begin, end, places);
    std::int64_t inside = 0;
    for (std::int64_t i = 0; i < end - begin; ++i) {
      places[inside] = {places[i].to, places[i].from - first};
      inside += static_cast<int>(places[inside].to >= begin_) & static_cast<int>(places[inside].to < end_);
    }
    return inside;
  }

  const Windows& windows_;
  const FoldRuns fold_;
  std::byte* const array_;
  const std::int64_t begin_, end_;
  std::vector<RunStart> runs_;
};

// Combines all windows with the array. Each thread combines those that start in its part of the array: their order
// remains for each element, and every thread reads all indices.
void CombineAll(const Windows& windows, FoldRuns fold, const Literal& updates, Literal& array) {
  constexpr std::int64_t kLongRun = 32;  // elements whose combination takes longer than reading their index
  const bool is_worth_it = windows.run() >= kLongRun && updates.element_count() >= kMovedPerPiece;
  const std::int64_t rows = is_worth_it && windows.are_rows() ? array.element_count() / windows.run() : 1;
  const std::int64_t parts = std::min<std::int64_t>(rows, ParallelThreads());
  std::byte* const data = array.mutable_data();
  ParallelFor(parts, 1, [&](std::int64_t first, std::int64_t last) {
    const std::int64_t begin = first * rows / parts * windows.run();
    const std::int64_t end = last == parts ? array.element_count() : last * rows / parts * windows.run();
    Combiner(windows, fold, data, begin, end).Combine(0, windows.count(), updates.data(), 0);
  });
}

// Returns the function of the combiner; null for a scatter that the evaluator computes: of several arrays, and with
// batching dimensions.
FoldRuns FoldOfScatter(const HloInstruction& scatter) {
  if (scatter.operands.size() != 3 || !scatter.Int64s("input_batching_dims").empty()) return nullptr;
  if (scatter.operand(1).shape.element_type() == U64) return nullptr;
  const PrimitiveType type = scatter.shape.element_type();
  if (scatter.operand(2).shape.element_type() != type) return nullptr;
  return FoldRunsOf(scatter.Computation("to_apply"), type);
}

PreparedFunction PrepareScatter(const HloInstruction& scatter, const OpOverrides&) {
  const FoldRuns fold = FoldOfScatter(scatter);
  if (fold == nullptr) return {};
  return [fold, &scatter](std::span<Literal> operands, Evaluation&) {
    Literal result = std::move(operands[0]);
    const Windows windows(scatter, operands[1], result.shape(), operands[2].shape());
    CombineAll(windows, fold, operands[2], result);
    return std::move(result).WithShape(scatter.shape);
  };
}

constexpr std::string_view kNames[] = {"scatter"};

}  // namespace

bool ReadsRows(const HloInstruction& scatter) {
  static const Op* const op = FindOp("scatter");
  if (scatter.op != op || !scatter.shape.IsFixedArray() || FoldOfScatter(scatter) == nullptr) return false;
  const Shape& update = scatter.operand(2).shape;
  const auto window_dims = scatter.Int64s("update_window_dims");
  return update.IsFixedArray() && scatter.operand(1).shape.IsFixedArray() &&
         (window_dims.empty() || window_dims.front() == update.rank() - std::ssize(window_dims));
}

PreparedFunction PrepareScatterOfLine(const HloInstruction& fusion) {
  const HloInstruction& scatter = *fusion.Computation("calls").root;
  const auto line = ElementWiseLine::Make(scatter.operand(2));
  const FoldRuns fold = FoldOfScatter(scatter);
  if (line == nullptr || fold == nullptr) return {};
  // A copy of the array if the updates or the indices read it, too.
  const HloInstruction* const array = &scatter.operand(0);
  std::int64_t reads = 0;
  for (const auto& instruction : scatter.parent->instructions)
    reads += std::ranges::count(instruction->operands, array);
  const bool is_read = reads > 1;
  return [line, fold, is_read, &scatter](std::span<Literal> operands, Evaluation&) {
    // A block of updates stays in the cache until it is combined.
    constexpr std::int64_t kBytesPerBlock = 1 << 15;
    std::vector<const std::byte*> parameters;
    for (const Literal& operand : operands) parameters.push_back(operand.data());
    const Literal& indices = operands[scatter.operand(1).parameter_number];
    Literal& operand = operands[scatter.operand(0).parameter_number];
    Literal result = is_read ? operand : std::move(operand);
    const Windows windows(scatter, indices, result.shape(), scatter.operand(2).shape);
    const int bytes = StorageBytes(result.element_type());
    if (windows.count() * windows.elements() == 0) return std::move(result).WithShape(scatter.shape);
    Combiner combiner(windows, fold, result.mutable_data());
    const std::int64_t count = windows.count(), rows = line->rows() / count;
    const std::int64_t size = windows.elements() * bytes, per_block = std::max<std::int64_t>(1, kBytesPerBlock / size);
    std::vector<std::byte> updates(std::min(count, per_block) * size);
    for (std::int64_t first = 0; first < count; first += per_block) {
      const std::int64_t end = std::min(count, first + per_block);
      line->Run(parameters, updates.data(), first * rows, end * rows);
      combiner.Combine(first, end, updates.data(), first * windows.elements());
    }
    return std::move(result).WithShape(scatter.shape);
  };
}

const Family kScatter = {.ops = kNames, .prepare = PrepareScatter};

}  // namespace assay::simd
