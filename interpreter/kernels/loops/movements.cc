#include "interpreter/kernels/loops/movements.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/load_integer.h"
#include "interpreter/types/repeat.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

using Operands = std::span<const std::byte* const>;

// A read of the operand along strides, into a dense result.
Kernel StridedKernel(const HloInstruction& instruction, std::int64_t first, std::span<const std::int64_t> strides) {
  const Dimensions& dimensions = instruction.shape.dimensions();
  const int bytes = StorageBytes(instruction.shape.element_type());
  return [copy = StridedCopy(bytes, dimensions, strides, RowMajorStrides(dimensions)), begin = first * bytes](
             Operands operands, std::byte* result, std::int64_t) { copy.Copy(operands[0] + begin, result); };
}

Kernel BroadcastKernel(const HloInstruction& broadcast) {
  const auto operand_strides = RowMajorStrides(broadcast.operand(0).shape.dimensions());
  const auto dimensions = broadcast.Int64s("dimensions");
  std::vector<std::int64_t> strides(broadcast.shape.rank(), 0);
  for (std::size_t d = 0; d < dimensions.size(); ++d) strides[dimensions[d]] += operand_strides[d];
  return StridedKernel(broadcast, 0, strides);
}

Kernel SliceKernel(const HloInstruction& slice) {
  auto strides = RowMajorStrides(slice.operand(0).shape.dimensions());
  const SliceConfig& config = *slice.Find<SliceConfig>("slice");
  std::int64_t first = 0;
  for (std::size_t d = 0; d < config.size(); ++d) {
    first += config[d].start * strides[d];
    strides[d] *= config[d].stride;
  }
  return StridedKernel(slice, first, strides);
}

Kernel ReverseKernel(const HloInstruction& reverse) {
  auto strides = RowMajorStrides(reverse.shape.dimensions());
  std::int64_t first = 0;
  for (const std::int64_t d : reverse.Int64s("dimensions")) {
    first += strides[d] * (reverse.shape.dimensions(d) - 1);
    strides[d] = -strides[d];
  }
  return StridedKernel(reverse, first, strides);
}

Kernel TransposeKernel(const HloInstruction& transpose) {
  const auto operand_strides = RowMajorStrides(transpose.operand(0).shape.dimensions());
  std::vector<std::int64_t> strides;
  for (const std::int64_t d : transpose.Int64s("dimensions")) strides.push_back(operand_strides[d]);
  return StridedKernel(transpose, 0, strides);
}

Kernel ConcatenateKernel(const HloInstruction& concatenate) {
  struct Part {
    StridedCopy copy;
    std::int64_t begin;
  };
  const auto strides = RowMajorStrides(concatenate.shape.dimensions());
  const std::int64_t dimension = concatenate.Int64s("dimensions")[0];
  const int bytes = StorageBytes(concatenate.shape.element_type());
  std::vector<Part> parts;
  std::int64_t begin = 0;
  for (const HloInstruction* operand : concatenate.operands) {
    const Dimensions& dimensions = operand->shape.dimensions();
    parts.push_back({StridedCopy(bytes, dimensions, RowMajorStrides(dimensions), strides), begin * bytes});
    begin += dimensions[dimension] * strides[dimension];
  }
  return [parts = std::move(parts)](Operands operands, std::byte* result, std::int64_t) {
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i].copy.Copy(operands[i], result + parts[i].begin);
  };
}

// The start indices of a dynamic-slice or dynamic-update-slice: a scalar for each dimension, or one vector.
class Starts {
 public:
  Starts(const HloInstruction& instruction, std::size_t first, const Dimensions& dimensions,
         std::span<const std::int64_t> sizes)
      : type_(instruction.operands.size() > first ? instruction.operand(first).shape.element_type() : S32),
        first_(first),
        is_vector_(instruction.operands.size() == first + 1 && instruction.operand(first).shape.rank() == 1) {
    const auto strides = RowMajorStrides(dimensions);
    const int bytes = StorageBytes(instruction.shape.element_type());
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
      dimensions_.push_back({dimensions[d] - sizes[d], strides[d] * bytes});
    }
  }

  // Returns the offset in bytes of the element at the clamped start.
  std::int64_t OffsetOf(Operands operands) const {
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      const std::byte* const at = is_vector_ ? operands[first_] + d * StorageBytes(type_) : operands[first_ + d];
      offset += std::clamp<std::int64_t>(Read(at), 0, dimensions_[d].last_start) * dimensions_[d].stride;
    }
    return offset;
  }

 private:
  struct Dimension {
    std::int64_t last_start, stride;
  };

  std::int64_t Read(const std::byte* at) const {
    const std::int64_t number = LoadInteger(type_, at);
    const bool is_beyond = number < 0 && !IsSignedIntegralType(type_);
    return is_beyond ? INT64_MAX : number;  // clamped in any case
  }

  PrimitiveType type_;
  std::size_t first_;
  bool is_vector_;
  std::vector<Dimension> dimensions_;
};

Kernel DynamicSliceKernel(const HloInstruction& slice) {
  const Dimensions& dimensions = slice.operand(0).shape.dimensions();
  const Dimensions& sizes = slice.shape.dimensions();
  return [starts = Starts(slice, 1, dimensions, sizes),
          copy = StridedCopy(StorageBytes(slice.shape.element_type()), sizes, RowMajorStrides(dimensions),
                             RowMajorStrides(sizes))](Operands operands, std::byte* result, std::int64_t) {
    copy.Copy(operands[0] + starts.OffsetOf(operands), result);
  };
}

Kernel DynamicUpdateSliceKernel(const HloInstruction& update) {
  const Dimensions& dimensions = update.shape.dimensions();
  const Dimensions& sizes = update.operand(1).shape.dimensions();
  const int bytes = StorageBytes(update.shape.element_type());
  return [starts = Starts(update, 2, dimensions, sizes),
          copy = StridedCopy(bytes, sizes, RowMajorStrides(sizes), RowMajorStrides(dimensions)),
          all = ShapeUtil::ElementsIn(update.shape) * bytes](Operands operands, std::byte* result, std::int64_t) {
    if (result != operands[0]) std::memcpy(result, operands[0], all);
    copy.Copy(operands[1], result + starts.OffsetOf(operands));
  };
}

template <std::size_t kBytes>
void CopyExactly(const std::byte* const* operands, std::byte* result, std::int64_t) {
  std::memcpy(result, operands[0], kBytes);
}

struct Movement {
  const Op* op;
  std::size_t arrays;  // operands that have the result's type; the others are start indices
  Kernel (*kernel)(const HloInstruction&);
};

constexpr std::size_t kAll = SIZE_MAX;
const Movement kMovements[] = {
    {&op_broadcast, 1, BroadcastKernel},
    {&op_concatenate, kAll, ConcatenateKernel},
    {&op_dynamic_slice, 1, DynamicSliceKernel},
    {&op_dynamic_update_slice, 2, DynamicUpdateSliceKernel},
    {&op_reverse, 1, ReverseKernel},
    {&op_slice, 1, SliceKernel},
    {&op_transpose, 1, TransposeKernel},
};

}  // namespace

Kernel MovementKernel(const HloInstruction& instruction) {
  const auto* const movement = std::ranges::find(kMovements, instruction.op, &Movement::op);
  if (movement == std::end(kMovements)) return {};
  const std::size_t arrays = std::min(movement->arrays, instruction.operands.size());
  for (std::size_t i = 0; i < arrays; ++i) {
    const Shape& shape = instruction.operands[i]->shape;
    if (shape.element_type() != instruction.shape.element_type() || ShapeUtil::ElementsIn(shape) == 0) return {};
  }
  return movement->kernel(instruction);
}

bool UpdatesInPlace(const HloInstruction& instruction) { return instruction.op == &op_dynamic_update_slice; }

Kernel FillKernel(PrimitiveType type) {
  return [bytes = StorageBytes(type)](Operands operands, std::byte* result, std::int64_t n) {
    FillWith(bytes, operands[0], result, n);
  };
}

ElementLoop CopyLoop(std::int64_t bytes) {
  if (bytes == 4) return CopyExactly<4>;
  if (bytes == 8) return CopyExactly<8>;
  return
      [](const std::byte* const* operands, std::byte* result, std::int64_t n) { std::memcpy(result, operands[0], n); };
}

}  // namespace assay
