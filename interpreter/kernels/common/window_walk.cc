#include "interpreter/kernels/common/window_walk.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/kernels/common/floor_divide.h"
#include "interpreter/ops/common/window_rules.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/result.h"

namespace assay {
namespace {

constexpr std::int64_t kMaxCells = std::int64_t{1} << 36;

// Removes the cells that are over padding at every position.
void ClipCells(WalkDimension& d) {
  const WindowDimension& w = d.window;
  const WideInteger last_place = WideInteger{d.base_size - 1} * w.base_dilation;
  const WideInteger nearest = WideInteger{w.padding_low} - WideInteger{d.positions - 1} * w.stride;  // reaches place 0
  const WideInteger farthest = last_place + w.padding_low;  // reaches the last place
  WideInteger first = std::max(WideInteger{0}, CeilDivide(nearest, w.window_dilation));
  WideInteger last = std::min(WideInteger{w.size - 1}, FloorDivide(farthest, w.window_dilation));
  if (d.base_size == 0 || d.positions == 0) last = first - 1;
  if (w.window_reversal) {
    std::swap(first, last);
    first = w.size - 1 - first;
    last = w.size - 1 - last;
  }
  d.first_cell = static_cast<std::int64_t>(first);
  d.cell_count = static_cast<std::int64_t>(std::max(WideInteger{0}, last - first + 1));
}

std::vector<WalkDimension> MergedDimensions(const Dimensions& base, const Window& window) {
  std::vector<WalkDimension> merged;
  for (std::size_t i = 0; i < base.size(); ++i) {
    WalkDimension d{.window = window.dimensions[i], .base_size = base[i]};
    d.positions = *WindowPositions(d.window, d.base_size);
    if (d.IsPlain() && !merged.empty() && merged.back().IsPlain()) {
      merged.back().base_size *= d.base_size;
      merged.back().positions *= d.positions;
    } else {
      merged.push_back(d);
    }
  }
  if (merged.empty()) merged.emplace_back();
  for (WalkDimension& d : merged) ClipCells(d);
  return merged;
}

struct Bytes16 {
  std::uint64_t halves[2];
};

// Calls visit(x) with a value of this size.
template <class Visit>
void WithElementOf(int bytes, Visit visit) {
  switch (bytes) {
    case 1:
      return visit(std::uint8_t{});
    case 2:
      return visit(std::uint16_t{});
    case 4:
      return visit(std::uint32_t{});
    case 8:
      return visit(std::uint64_t{});
    default:
      return visit(Bytes16{});
  }
}

// Repeats runs along a further dimension, at the positions and elements of its own run.
void RepeatRuns(const CellRun& along, std::int64_t position_stride, std::int64_t element_stride,
                std::vector<ElementRun>& runs) {
  for (ElementRun& run : runs) {
    run.first_position += along.first_position * position_stride;
    run.first_element += along.first_element * element_stride;
  }
  const std::size_t count = runs.size();
  for (std::int64_t t = 1; t < along.count; ++t) {
    for (std::size_t i = 0; i < count; ++i) {
      runs.push_back(runs[runs.size() - count]);
      runs.back().first_position += along.position_step * position_stride;
      runs.back().first_element += along.element_step * element_stride;
    }
  }
}

}  // namespace

WindowWalk::WindowWalk(const Dimensions& base, const Window& window, std::int64_t positions_per_block)
    : dimensions_(MergedDimensions(base, window)) {
  for (const WalkDimension& d : dimensions_) {
    position_count_ *= d.positions;
    if (__builtin_mul_overflow(cell_count_, d.cell_count, &cell_count_) || cell_count_ > kMaxCells) {
      throw EvaluationError{{ErrorCode::kLimit, fmt::format("a window of more than {} cells", kMaxCells)}};
    }
  }
  cut_ = static_cast<std::int64_t>(dimensions_.size()) - 1;
  while (cut_ > 0 && positions_below_ * dimensions_[cut_].positions <= positions_per_block) {
    positions_below_ *= dimensions_[cut_--].positions;
  }
  rows_per_block_ = std::max<std::int64_t>(1, positions_per_block / std::max<std::int64_t>(1, positions_below_));
}

std::int64_t WindowWalk::OffsetInWindow(std::int64_t cell) const {
  std::int64_t offset = 0, stride = 1;
  for (std::size_t d = dimensions_.size(); d-- > 0;) {
    offset += (dimensions_[d].first_cell + cell % dimensions_[d].cell_count) * stride;
    cell /= dimensions_[d].cell_count;
    stride *= dimensions_[d].window.size;
  }
  return offset;
}

std::int64_t WindowWalk::block_count() const {
  if (position_count_ == 0) return 0;
  const std::int64_t positions = dimensions_[cut_].positions;
  return position_count_ / positions_below_ / positions * ((positions - 1) / rows_per_block_ + 1);
}

PositionBlock WindowWalk::block(std::int64_t i) const {
  const std::int64_t positions = dimensions_[cut_].positions;
  const std::int64_t blocks = (positions - 1) / rows_per_block_ + 1;
  PositionBlock block{.outer = i / blocks, .begin = i % blocks * rows_per_block_};
  block.end = std::min(block.begin + rows_per_block_, positions);
  block.first = (block.outer * positions + block.begin) * positions_below_;
  block.count = (block.end - block.begin) * positions_below_;
  return block;
}

void WindowWalk::FindRuns(const PositionBlock& block, std::int64_t cell, std::vector<ElementRun>& runs) const {
  runs.clear();
  const auto rank = static_cast<std::int64_t>(dimensions_.size());
  std::int64_t position_stride = 1, element_stride = 1, outer = block.outer;
  for (std::int64_t d = rank - 1; d >= 0; --d) {
    const WalkDimension& dimension = dimensions_[d];
    std::int64_t begin = d == cut_ ? block.begin : 0;
    std::int64_t end = d == cut_ ? block.end : dimension.positions;
    if (d < cut_) {
      begin = outer % dimension.positions;
      end = begin + 1;
      outer /= dimension.positions;
    }
    const std::int64_t this_cell = dimension.first_cell + cell % dimension.cell_count;
    const CellRun run = RunOfCell(dimension.window, dimension.base_size, this_cell, begin, end);
    if (run.count == 0) return runs.clear();
    if (d == rank - 1) {
      runs.push_back(run);
    } else {
      RepeatRuns(run, position_stride, element_stride, runs);
    }
    cell /= dimension.cell_count;
    position_stride *= end - begin;
    element_stride *= dimension.base_size;
  }
}

std::vector<std::int64_t> WindowWalk::ElementsAt(std::int64_t position) const {
  CheckLimits();
  // Collects the elements under the cells of each dimension, then all their combinations.
  std::vector<std::int64_t> elements = {0};
  std::vector<std::int64_t> coordinates(dimensions_.size());
  for (std::size_t d = dimensions_.size(); d-- > 0;) {
    coordinates[d] = position % dimensions_[d].positions;
    position /= dimensions_[d].positions;
  }
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    const WalkDimension& dimension = dimensions_[d];
    std::vector<std::int64_t> combined;
    std::vector<std::int64_t> here;
    for (std::int64_t cell = 0; cell < dimension.cell_count; ++cell) {
      const CellRun run = RunOfCell(dimension.window, dimension.base_size, dimension.first_cell + cell, coordinates[d],
                                    coordinates[d] + 1);
      if (run.count > 0) here.push_back(run.first_element);
    }
    for (std::int64_t outer : elements) {
      for (std::int64_t element : here) combined.push_back(outer * dimension.base_size + element);
    }
    elements = std::move(combined);
  }
  return elements;
}

void GatherElements(std::span<const ElementRun> runs, int bytes, const std::byte* base, std::byte* dense) {
  WithElementOf(bytes, [&]<class Element>(Element) {
    auto* to = reinterpret_cast<Element*>(dense);
    for (const ElementRun& run : runs) {
      const auto* from = reinterpret_cast<const Element*>(base) + run.first_element;
      for (std::int64_t t = 0; t < run.count; ++t) *to++ = from[t * run.element_step];
    }
  });
}

void GatherPositions(std::span<const ElementRun> runs, int bytes, const std::byte* block, std::byte* dense) {
  WithElementOf(bytes, [&]<class Element>(Element) {
    auto* to = reinterpret_cast<Element*>(dense);
    for (const ElementRun& run : runs) {
      const auto* from = reinterpret_cast<const Element*>(block) + run.first_position;
      for (std::int64_t t = 0; t < run.count; ++t) *to++ = from[t * run.position_step];
    }
  });
}

void ScatterPositions(std::span<const ElementRun> runs, int bytes, const std::byte* dense, std::byte* block) {
  WithElementOf(bytes, [&]<class Element>(Element) {
    const auto* from = reinterpret_cast<const Element*>(dense);
    for (const ElementRun& run : runs) {
      auto* to = reinterpret_cast<Element*>(block) + run.first_position;
      for (std::int64_t t = 0; t < run.count; ++t) to[t * run.position_step] = *from++;
    }
  });
}

std::int64_t TotalCount(std::span<const ElementRun> runs) {
  std::int64_t count = 0;
  for (const ElementRun& run : runs) count += run.count;
  return count;
}

}  // namespace assay
