#include "backends/simd/scatter.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "backends/simd/element_wise_line.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/limits.h"

namespace assay::simd {
namespace {

bool Contains(std::span<const std::int64_t> numbers, std::int64_t number) {
  return std::ranges::find(numbers, number) != numbers.end();
}

// The windows of the updates, in the order of the indices, and their targets.
class Windows {
 public:
  Windows(const HloInstruction& scatter, const Literal& indices, const Shape& operand, const Shape& update)
      : indices_(indices), map_(scatter.Int64s("scatter_dims_to_operand_dims")), bounds_(operand.rank()) {
    const auto window_dims = scatter.Int64s("update_window_dims"), inserted = scatter.Int64s("inserted_window_dims");
    const std::vector<std::int64_t> operand_strides = RowMajorStrides(operand.dimensions());
    const std::vector<std::int64_t> update_strides = RowMajorStrides(update.dimensions());
    operand_strides_ = operand_strides;
    for (std::int64_t d = 0; d < operand.rank(); ++d) bounds_[d] = operand.dimensions(d) - 1;
    std::size_t next = 0;
    for (std::int64_t d = 0; d < operand.rank(); ++d) {
      if (Contains(inserted, d)) continue;
      const std::int64_t of_update = window_dims[next++];
      const std::int64_t size = update.dimensions(of_update);
      axes_.push_back({size, operand_strides[d], update_strides[of_update]});
      bounds_[d] = operand.dimensions(d) - size;
    }
    const std::int64_t vector_dim = scatter.Int64("index_vector_dim");
    const std::vector<std::int64_t> index_strides = RowMajorStrides(indices.shape().dimensions());
    vector_stride_ = vector_dim < indices.shape().rank() ? index_strides[vector_dim] : 0;
    std::int64_t of_indices = 0;
    for (std::int64_t d = 0; d < update.rank(); ++d) {
      if (Contains(window_dims, d)) continue;
      if (of_indices == vector_dim) ++of_indices;
      positions_.push_back({update.dimensions(d), index_strides[of_indices++], update_strides[d]});
    }
    // Elements that are neighbors in both arrays are combined together.
    if (!axes_.empty() && axes_.back().operand_stride == 1 && axes_.back().update_stride == 1) {
      run_ = axes_.back().size;
      axes_.pop_back();
    }
  }

  // Calls combine(offset in the operand, offset in the updates, number of elements).
  template <class Combine>
  void ForEachRun(const Combine& combine) const {
    LimitCheck check;
    ForAll(positions_, 0, [&](std::int64_t index, std::int64_t update) {
      check();
      const std::optional<std::int64_t> start = StartAt(index);
      if (!start) return;
      ForAll(axes_, *start, [&](std::int64_t to, std::int64_t from) { combine(to, update + from, run_); });
    });
  }

 private:
  struct Axis {
    std::int64_t size, operand_stride, update_stride;  // for positions_, operand_stride is that of the indices
  };

  // Calls visit(offset by the first strides, offset by the second strides) in row-major order.
  template <class Visit>
  static void ForAll(const std::vector<Axis>& axes, std::int64_t first, const Visit& visit) {
    if (std::ranges::any_of(axes, [](const Axis& axis) { return axis.size == 0; })) return;
    std::vector<std::int64_t> at(axes.size());
    std::int64_t a = first, b = 0;
    do {
      visit(a, b);
    } while (Advance(axes, at, a, b));
  }

  // Advances to the next index. Returns false after the last one.
  static bool Advance(const std::vector<Axis>& axes, std::vector<std::int64_t>& at, std::int64_t& a, std::int64_t& b) {
    for (std::size_t i = axes.size(); i-- > 0;) {
      a += axes[i].operand_stride;
      b += axes[i].update_stride;
      if (++at[i] < axes[i].size) return true;
      a -= axes[i].size * axes[i].operand_stride;
      b -= axes[i].size * axes[i].update_stride;
      at[i] = 0;
    }
    return false;
  }

  // Returns the offset of a window; nullopt if the window is not entirely inside.
  std::optional<std::int64_t> StartAt(std::int64_t index) const {
    std::int64_t start = 0;
    for (std::size_t k = 0; k < map_.size(); ++k) {
      const std::int64_t at = indices_.IntegerAt(index + static_cast<std::int64_t>(k) * vector_stride_);
      if (at < 0 || at > bounds_[map_[k]]) return std::nullopt;
      start += at * operand_strides_[map_[k]];
    }
    return start;
  }

  const Literal& indices_;
  std::span<const std::int64_t> map_;
  std::vector<std::int64_t> bounds_;  // the last start of a window that is inside
  std::vector<std::int64_t> operand_strides_;
  std::vector<Axis> axes_;       // of a window
  std::vector<Axis> positions_;  // of the index vectors
  std::int64_t vector_stride_ = 0;
  std::int64_t run_ = 1;
};

// Handles one array without batching dimensions. The evaluator computes the others.
PreparedFunction PrepareScatter(const HloInstruction& scatter) {
  if (scatter.operands.size() != 3 || !scatter.Int64s("input_batching_dims").empty()) return {};
  if (scatter.operand(1).shape.element_type() == U64) return {};
  const PrimitiveType type = scatter.shape.element_type();
  const Kernel kernel = FoldingKernel(scatter.Computation("to_apply"), type);
  if (kernel == nullptr || scatter.operand(2).shape.element_type() != type) return {};
  return [kernel, &scatter](std::span<Literal> operands, Evaluation&) {
    Literal result = std::move(operands[0]);
    const std::int64_t bytes = StorageBytes(result.element_type());
    const Windows windows(scatter, operands[1], result.shape(), operands[2].shape());
    std::byte* const out = result.mutable_data();
    const std::byte* const updates = operands[2].data();
    windows.ForEachRun([&](std::int64_t to, std::int64_t from, std::int64_t count) {
      const std::byte* const both[] = {out + to * bytes, updates + from * bytes};
      kernel(both, out + to * bytes, count);
    });
    return std::move(result).WithShape(scatter.shape);
  };
}

constexpr std::string_view kNames[] = {"scatter"};

}  // namespace

const Family kScatter = {.ops = kNames, .prepare = PrepareScatter};

}  // namespace assay::simd
