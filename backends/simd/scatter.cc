#include "backends/simd/scatter.h"

#include <algorithm>
#include <array>
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
#include "interpreter/types/repeat.h"

namespace assay::simd {
namespace {

bool Contains(std::span<const std::int64_t> numbers, std::int64_t number) {
  return std::ranges::find(numbers, number) != numbers.end();
}

// The elements [begin, end) of an array, and the offset at which their updates begin.
struct Part {
  std::int64_t begin, end, first_update;
};

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

  // Finds those of the windows [begin, end) that are entirely inside the operand and start in a part of it, and returns
  // their number.
  std::int64_t Find(std::int64_t begin, std::int64_t end, const Part& part, RunStart* places) const {
    const Axis inner = positions_.back();
    std::int64_t found = 0;
    for (std::int64_t at = begin; at < end;) {
      const std::int64_t first = at % inner.size, count = std::min({inner.size - first, end - at, kMostInARow});
      std::int64_t index = first * inner.operand_stride, update = first * inner.update_stride;
      std::int64_t outer = at / inner.size;
      for (std::size_t i = positions_.size() - 1; i-- > 0; outer /= positions_[i].size) {
        index += outer % positions_[i].size * positions_[i].operand_stride;
        update += outer % positions_[i].size * positions_[i].update_stride;
      }
      found += FindInARow(index, update - part.first_update, count, part, places + found);
      at += count;
    }
    return found;
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

  // Finds windows among `count` ones along the last axis of the positions, from these offsets on. No branch depends on
  // an index, because it would be hard to predict.
  std::int64_t FindInARow(std::int64_t index, std::int64_t update, std::int64_t count, const Part& part,
                          RunStart* places) const {
    const Axis inner = positions_.back();
    std::int64_t to[kMostInARow] = {};
    for (std::size_t k = 0; k < map_.size(); ++k, index += vector_stride_) {
      const auto starts = static_cast<std::uint64_t>(std::max<std::int64_t>(0, bounds_[map_[k]] + 1));
      const std::int64_t stride = operand_strides_[map_[k]];
      ForStarts(index, inner.operand_stride, count, [&](std::int64_t i, std::int64_t start) {
        to[i] += static_cast<std::uint64_t>(start) < starts ? start * stride : kOutside;
      });
    }
    const auto size = static_cast<std::uint64_t>(part.end - part.begin);
    std::int64_t found = 0;
    for (std::int64_t i = 0; i < count; ++i, update += inner.update_stride) {
      places[found] = {to[i], update};
      found += static_cast<int>(static_cast<std::uint64_t>(to[i] - part.begin) < size);
    }
    return found;
  }

  // Calls visit(i, number) for `count` indices, at most kMostInARow.
  template <class Visit>
  void ForStarts(std::int64_t offset, std::int64_t stride, std::int64_t count, const Visit& visit) const {
    const PrimitiveType type = indices_.element_type();
    const int bytes = StorageBytes(type);
    const std::byte* const in = indices_.data() + offset * bytes;
    if (stride != 1) {
      for (std::int64_t i = 0; i < count; ++i) visit(i, LoadInteger(type, in + i * stride * bytes));
      return;
    }
    std::uint64_t numbers[kMostInARow];
    LoadIntegers(type, in, numbers, count);
    for (std::int64_t i = 0; i < count; ++i) visit(i, static_cast<std::int64_t>(numbers[i]));
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

  static constexpr std::int64_t kMostInARow = 256;
  // So far below zero that the offset remains negative whatever the starts in other dimensions are.
  static constexpr std::int64_t kOutside = std::numeric_limits<std::int64_t>::min() / 64;

  const Literal& indices_;
  std::span<const std::int64_t> map_;
  std::vector<std::int64_t> bounds_;  // the last start of a window that is inside
  std::vector<std::int64_t> operand_strides_;
  std::vector<Axis> axes_;       // of a window
  std::vector<Axis> positions_;  // of the index vectors; at least one
  std::int64_t vector_stride_ = 0;
  std::int64_t run_ = 1;
};

// Combines the windows [begin, end) that start in a part of an array with their updates, one after the other.
void CombineInPart(const Windows& windows, FoldRuns fold, std::int64_t begin, std::int64_t end,
                   const std::byte* updates, const Part& part, std::byte* array) {
  constexpr std::int64_t kMost = 256;
  LimitCheck check;
  RunStart places[kMost];
  std::vector<RunStart> runs;
  for (; begin < end && windows.elements() > 0; begin += kMost) {
    check();
    const std::int64_t found = windows.Find(begin, std::min(end, begin + kMost), part, places);
    if (windows.are_runs()) {
      fold(array, updates, {places, places + found}, windows.run());
      continue;
    }
    for (std::int64_t i = 0; i < found; ++i) {
      runs.clear();
      windows.AppendRuns(places[i], runs);
      fold(array, updates, runs, windows.run());
    }
  }
}

// Combines all windows with the array. Each thread combines those that start in its part of the array: their order
// remains for each element, and every thread reads all indices.
void CombineAll(const Windows& windows, FoldRuns fold, const Literal& updates, Literal& array) {
  constexpr std::int64_t kLongRun = 32;  // elements whose combination takes longer than reading their index
  const bool is_worth_it = windows.run() >= kLongRun && updates.element_count() >= kMovedPerPiece;
  const std::int64_t rows = is_worth_it && windows.are_rows() ? array.element_count() / windows.run() : 1;
  const std::int64_t parts = std::min<std::int64_t>(rows, ParallelThreads());
  std::byte* const data = array.mutable_data();
  ParallelFor(parts, 1, [&](std::int64_t first, std::int64_t last) {
    const Part part = {.begin = first * rows / parts * windows.run(),
                       .end = last == parts ? array.element_count() : last * rows / parts * windows.run(),
                       .first_update = 0};
    CombineInPart(windows, fold, 0, windows.count(), updates.data(), part, data);
  });
}

// Returns an array of zeros that change no number when they are added: those of floating types are negative.
Literal NeutralZeros(const Shape& shape) {
  Literal zeros = Literal::Uninitialized(shape);
  const int bytes = StorageBytes(shape.element_type());
  std::array<std::byte, sizeof(double)> zero = {};
  if (IsFloatingPointType(shape.element_type())) zero[bytes - 1] = std::byte{0x80};
  FillWith(bytes, zero.data(), zeros.mutable_data(), zeros.element_count());
  return zeros;
}

// A scatter whose updates a line computes block by block, so that each block stays in the cache until it is combined.
class LineScatter {
 public:
  LineScatter(const ElementWiseLine& line, std::span<const std::byte* const> parameters, const Windows& windows,
              FoldRuns fold)
      : line_(line), parameters_(parameters), windows_(windows), fold_(fold), rows_(line.rows() / windows.count()) {}

  // Combines all windows with the array.
  void Combine(Literal& array) const { CombineRange(0, windows_.count(), array); }

  // Does the same for sums of many updates of a small array, with a sum of its own for each piece of the updates. The
  // pieces, and so the order of the sums, depend on the shapes alone.
  void AddInPieces(Literal& array) const {
    constexpr std::int64_t kMost = 8, kUpdatesPerSum = 4;
    const std::int64_t count = windows_.count(), elements = array.element_count();
    const std::int64_t least = std::max(kMovedPerPiece, kUpdatesPerSum * elements);
    const std::int64_t pieces = std::clamp<std::int64_t>(count * windows_.elements() / least, 1, kMost);
    const Shape shape = array.shape();
    std::vector<Literal> sums(pieces);
    ParallelFor(pieces, 1, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t piece = first; piece < last; ++piece) {
        sums[piece] = piece == 0 ? std::move(array) : NeutralZeros(shape);
        CombineRange(piece * count / pieces, (piece + 1) * count / pieces, sums[piece]);
      }
    });
    array = std::move(sums[0]);
    const RunStart whole = {0, 0};
    for (std::int64_t piece = 1; piece < pieces; ++piece) {
      fold_(array.mutable_data(), sums[piece].data(), {&whole, 1}, elements);
    }
  }

 private:
  // Combines the windows [begin, end) with the array.
  void CombineRange(std::int64_t begin, std::int64_t end, Literal& array) const {
    constexpr std::int64_t kBytesPerBlock = 1 << 15;
    const std::int64_t row_bytes = line_.row_bytes();
    const std::int64_t per_block = std::clamp<std::int64_t>(kBytesPerBlock / (rows_ * row_bytes), 1, end - begin);
    std::vector<std::byte> updates(per_block * rows_ * row_bytes);
    std::byte* const data = array.mutable_data();
    for (std::int64_t first = begin; first < end; first += per_block) {
      const std::int64_t last = std::min(end, first + per_block);
      line_.Run(parameters_, updates.data(), first * rows_, last * rows_);
      const Part whole = {0, array.element_count(), first * windows_.elements()};
      CombineInPart(windows_, fold_, first, last, updates.data(), whole, data);
    }
  }

  const ElementWiseLine& line_;
  const std::span<const std::byte* const> parameters_;
  const Windows& windows_;
  const FoldRuns fold_;
  const std::int64_t rows_;  // of the line, for each window
};

// Returns the function of the combiner; null for a scatter that the evaluator computes: of several arrays, and with
// batching dimensions.
FoldRuns FoldOfScatter(const HloInstruction& scatter) {
  if (scatter.operands.size() != 3 || !scatter.Int64s("input_batching_dims").empty()) return nullptr;
  if (scatter.operand(1).shape.element_type() == U64) return nullptr;
  return FoldRunsOf(scatter.Computation("to_apply"), scatter.shape.element_type());
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

// Returns the number of windows of a scatter that reads its updates in their order.
std::int64_t PositionsOf(const HloInstruction& scatter) {
  const Dimensions& updates = scatter.operand(2).shape.dimensions();
  const std::size_t windows = scatter.Int64s("update_window_dims").size();
  return Product(std::span(updates).first(updates.size() - windows));
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
  const auto is_given = [&](std::int64_t i) { return scatter.operand(i).op->role == OpRole::kParameter; };
  if (line == nullptr || !is_given(0) || !is_given(1)) return {};
  if (line->rows() % std::max<std::int64_t>(1, PositionsOf(scatter)) != 0) return {};
  // A copy of the array if the updates or the indices read it, too.
  const HloInstruction* const array = &scatter.operand(0);
  std::int64_t reads = 0;
  for (const auto& instruction : scatter.parent->instructions)
    reads += std::ranges::count(instruction->operands, array);
  const bool is_read = reads > 1;
  const bool is_sum = scatter.Computation("to_apply").root->op->name == "add";
  return [line, fold, is_read, is_sum, &scatter](std::span<Literal> operands, Evaluation&) {
    std::vector<const std::byte*> parameters;
    for (const Literal& operand : operands) parameters.push_back(operand.data());
    const Literal& indices = operands[scatter.operand(1).parameter_number];
    Literal& operand = operands[scatter.operand(0).parameter_number];
    Literal result = is_read ? operand : std::move(operand);
    const Windows windows(scatter, indices, result.shape(), scatter.operand(2).shape);
    if (windows.count() * windows.elements() > 0) {
      const LineScatter updates(*line, parameters, windows, fold);
      is_sum ? updates.AddInPieces(result) : updates.Combine(result);
    }
    return std::move(result).WithShape(scatter.shape);
  };
}

const Family kScatter = {.ops = kNames, .prepare = PrepareScatter};

}  // namespace assay::simd
