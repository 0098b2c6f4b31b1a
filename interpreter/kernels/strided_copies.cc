// Ops that copy all elements, or some of them, with strides.
#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "interpreter/kernels/common/converted.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/numerics/convert.h"
#include "interpreter/ops/common/start_indices.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

// One strided copy with strides of zero. Returns the operand itself if only dimensions of size 1 are added.
Literal EvaluateBroadcast(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  const Shape& shape = instruction.shape;
  const auto dimensions = instruction.Int64s("dimensions");
  if (operands[0].element_count() == ShapeUtil::ElementsIn(shape) &&
      std::ranges::adjacent_find(dimensions, std::ranges::greater_equal()) == dimensions.end()) {
    return std::move(operands[0]).WithShape(shape);  // only dimensions of size 1 are added
  }
  const auto operand_strides = RowMajorStrides(operands[0].shape().dimensions());
  std::vector<std::int64_t> strides(shape.rank(), 0);
  for (std::size_t d = 0; d < dimensions.size(); ++d) strides[dimensions[d]] += operand_strides[d];
  return StridedRead(shape, operands[0], 0, strides);
}

// A strided copy of each operand.
Literal EvaluateConcatenate(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  const Shape& shape = instruction.shape;
  if (operands.size() == 1) return WithElementType(std::move(operands[0]), shape.element_type()).WithShape(shape);
  Literal result = Literal::Uninitialized(shape);
  if (result.element_count() == 0) return result;
  const std::int64_t dimension = instruction.Int64s("dimensions")[0];
  const auto strides = RowMajorStrides(shape.dimensions());
  const int bytes = StorageBytes(shape.element_type());
  std::byte* to = result.mutable_data();
  for (Literal& operand : operands) {
    const Literal part = WithElementType(std::move(operand), shape.element_type());
    const Dimensions& sizes = part.shape().dimensions();
    StridedCopy(bytes, sizes, RowMajorStrides(sizes), strides).ParallelCopy(part.data(), to);
    to += sizes[dimension] * strides[dimension] * bytes;
  }
  return result;
}

// One strided copy.
Literal EvaluateDynamicSlice(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  const Dimensions& dimensions = operands[0].shape().dimensions();
  if (operands[0].element_count() == ShapeUtil::ElementsIn(instruction.shape)) {
    return std::move(operands[0]).WithShape(instruction.shape);  // every start is clamped to 0
  }
  const Dimensions starts = ClampedStarts(operands.subspan(1), dimensions, instruction.Int64s("dynamic_slice_sizes"));
  const auto strides = RowMajorStrides(dimensions);
  const std::int64_t first = std::inner_product(starts.begin(), starts.end(), strides.begin(), std::int64_t{0});
  return StridedRead(instruction.shape, operands[0], first, strides);
}

// One strided copy into the operand, in place if its buffer is not shared.
Literal EvaluateDynamicUpdateSlice(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  const Shape& shape = instruction.shape;
  const Literal update = WithElementType(std::move(operands[1]), shape.element_type());
  Literal result = WithElementType(std::move(operands[0]), shape.element_type());
  const Dimensions& sizes = update.shape().dimensions();
  if (update.element_count() == 0) return std::move(result).WithShape(shape);
  if (update.element_count() == result.element_count()) return update.WithShape(shape);
  const Dimensions starts = ClampedStarts(operands.subspan(2), shape.dimensions(), sizes);
  const auto strides = RowMajorStrides(shape.dimensions());
  const std::int64_t first = std::inner_product(starts.begin(), starts.end(), strides.begin(), std::int64_t{0});
  const int bytes = StorageBytes(shape.element_type());
  StridedCopy(bytes, sizes, RowMajorStrides(sizes), strides)
      .ParallelCopy(update.data(), result.mutable_data() + first * bytes);
  return std::move(result).WithShape(shape);
}

// Converts one line of numbers once, and copies it with strides of zero.
Literal EvaluateIota(const HloInstruction& instruction, std::span<Literal>, Evaluation&) {
  const Shape& shape = instruction.shape;
  const std::int64_t dimension = instruction.Int64("iota_dimension");
  const std::int64_t size = shape.dimensions(dimension);
  Literal numbers = Literal::Uninitialized(ShapeUtil::MakeShape(S64, {size}));
  const auto out = numbers.mutable_values<std::int64_t>();
  std::iota(out.begin(), out.end(), 0);
  Literal line = Literal::Uninitialized(ShapeUtil::MakeShape(shape.element_type(), {size}));
  Convert(S64, numbers.data(), shape.element_type(), line.mutable_data(), size);
  std::vector<std::int64_t> strides(shape.rank(), 0);
  strides[dimension] = 1;
  return StridedRead(shape, line, 0, strides);
}

// The operand elements of one dimension that are inside the result, and their positions there.
struct Kept {
  std::int64_t first = 0;  // first operand index
  std::int64_t count = 0;
  std::int64_t to = 0;    // its result index
  std::int64_t step = 1;  // from one result index to the next
};

Kept KeptOf(std::int64_t size, std::int64_t padded_size, const PaddingConfigDimension& padding) {
  Kept kept{.step = size > 1 ? padding.interior_padding + 1 : 1};
  const std::int64_t low = padding.edge_padding_low;
  if (low < 0) {
    const std::int64_t last_cut = -(low + 1) / kept.step;
    if (last_cut >= size - 1) return kept;
    kept.first = last_cut + 1;
  }
  kept.to = low + kept.first * kept.step;
  if (kept.first >= size || kept.to >= padded_size) return kept;
  kept.count = std::min(size - kept.first, (padded_size - 1 - kept.to) / kept.step + 1);
  return kept;
}

// Fills with the padding value, then copies the box of operand elements that are inside the result.
Literal EvaluatePad(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  const Shape& shape = instruction.shape;
  const PaddingConfig& padding = *instruction.Find<PaddingConfig>("padding");
  const Literal operand = WithElementType(std::move(operands[0]), shape.element_type());
  const bool pads = std::ranges::any_of(padding, [](const auto& p) { return p != PaddingConfigDimension{}; });
  if (!pads) return operand.WithShape(shape);
  Literal result = Filled(shape, WithElementType(std::move(operands[1]), shape.element_type()));

  const auto from_strides = RowMajorStrides(operand.shape().dimensions());
  auto to_strides = RowMajorStrides(shape.dimensions());
  std::int64_t from = 0, to = 0;
  Dimensions counts;
  for (std::int64_t d = 0; d < shape.rank(); ++d) {
    const Kept kept = KeptOf(operand.shape().dimensions(d), shape.dimensions(d), padding[d]);
    if (kept.count == 0) return result;
    counts.push_back(kept.count);
    from += kept.first * from_strides[d];
    to += kept.to * to_strides[d];
    to_strides[d] *= kept.step;
  }
  const int bytes = StorageBytes(shape.element_type());
  StridedCopy(bytes, counts, from_strides, to_strides)
      .ParallelCopy(operand.data() + from * bytes, result.mutable_data() + to * bytes);
  return result;
}

// One strided copy with negative strides. Returns the operand itself if nothing moves.
Literal EvaluateReverse(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  auto strides = RowMajorStrides(operands[0].shape().dimensions());
  std::int64_t first = 0;
  bool moves = false;
  for (std::int64_t d : instruction.Int64s("dimensions")) {
    const std::int64_t last = operands[0].shape().dimensions(d) - 1;
    first += last * strides[d];
    strides[d] = -strides[d];
    moves |= last > 0;
  }
  if (!moves) return std::move(operands[0]).WithShape(instruction.shape);
  return StridedRead(instruction.shape, operands[0], first, strides);
}

// One strided copy. Returns the operand itself if the slice is the whole.
Literal EvaluateSlice(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  const SliceConfig& slice = *instruction.Find<SliceConfig>("slice");
  auto strides = RowMajorStrides(operands[0].shape().dimensions());
  std::int64_t first = 0;
  for (std::size_t d = 0; d < slice.size(); ++d) {
    first += slice[d].start * strides[d];
    strides[d] *= slice[d].stride;
  }
  if (operands[0].element_count() == ShapeUtil::ElementsIn(instruction.shape)) {
    return std::move(operands[0]).WithShape(instruction.shape);
  }
  return StridedRead(instruction.shape, operands[0], first, strides);
}

// True if the dimensions larger than 1 keep their order, so that no element moves.
bool KeepsOrder(const Shape& operand, std::span<const std::int64_t> permutation) {
  std::int64_t last = -1;
  for (std::int64_t d : permutation) {
    if (operand.dimensions(d) == 1) continue;
    if (d < last) return false;
    last = d;
  }
  return true;
}

// One strided copy. Returns the operand itself if no element moves.
Literal EvaluateTranspose(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  Literal& operand = operands[0];
  const auto permutation = instruction.Int64s("dimensions");
  if (KeepsOrder(operand.shape(), permutation)) return std::move(operand).WithShape(instruction.shape);
  const auto operand_strides = RowMajorStrides(operand.shape().dimensions());
  std::vector<std::int64_t> strides;
  for (std::int64_t d : permutation) strides.push_back(operand_strides[d]);
  return StridedRead(instruction.shape, operand, 0, strides);
}

constexpr OpKernel kStridedCopies[] = {
    {.op = &op_broadcast, .evaluate = EvaluateBroadcast},
    {.op = &op_concatenate, .evaluate = EvaluateConcatenate},
    {.op = &op_dynamic_slice, .evaluate = EvaluateDynamicSlice},
    {.op = &op_dynamic_update_slice, .evaluate = EvaluateDynamicUpdateSlice},
    {.op = &op_iota, .evaluate = EvaluateIota},
    {.op = &op_pad, .evaluate = EvaluatePad},
    {.op = &op_reverse, .evaluate = EvaluateReverse},
    {.op = &op_slice, .evaluate = EvaluateSlice},
    {.op = &op_transpose, .evaluate = EvaluateTranspose},
};

}  // namespace

std::span<const OpKernel> StridedCopies() { return kStridedCopies; }

}  // namespace assay
