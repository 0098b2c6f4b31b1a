// Two copies by strides for each dimension that is rotated.
#include <utility>

#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

// Returns the element that the shift moves to the front of a dimension.
std::int64_t FirstShifted(std::int64_t shift, std::int64_t size) { return (shift % size + size) % size; }

// Rotates one dimension: the elements from `first` on, followed by those before it.
Literal Rotated(const Literal& operand, std::int64_t dimension, std::int64_t first) {
  const auto strides = RowMajorStrides(operand.shape().dimensions());
  const int bytes = StorageBytes(operand.element_type());
  const std::int64_t size = operand.shape().dimensions(dimension);
  Literal result = Literal::Uninitialized(operand.shape());
  const auto move = [&](std::int64_t from, std::int64_t to, std::int64_t count) {
    Dimensions part = operand.shape().dimensions();
    part[dimension] = count;
    StridedCopy(bytes, part, strides, strides)
        .ParallelCopy(operand.data() + from * strides[dimension] * bytes,
                      result.mutable_data() + to * strides[dimension] * bytes);
  };
  move(first, 0, size - first);
  move(0, size - first, first);
  return result;
}

Literal EvaluateShuffle(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  Literal result = std::move(operands[0]).WithShape(instruction.shape);
  if (result.element_count() == 0) return result;
  const auto dimensions = instruction.Int64s("dimensions");
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    const std::int64_t first = FirstShifted(instruction.Int64s("shifts")[i], result.shape().dimensions(dimensions[i]));
    if (first != 0) result = Rotated(result, dimensions[i], first);
  }
  return result;
}

}  // namespace

const OpKernel kernel_shuffle = {.op = &op_shuffle, .evaluate = EvaluateShuffle};

}  // namespace assay
