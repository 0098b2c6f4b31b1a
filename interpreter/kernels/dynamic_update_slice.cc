// One strided copy into the operand, in place if its buffer is not shared.
#include <numeric>
#include <utility>

#include "interpreter/kernels/common/converted.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/common/start_indices.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

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

}  // namespace

const OpKernel kernel_dynamic_update_slice = {.op = &op_dynamic_update_slice, .evaluate = EvaluateDynamicUpdateSlice};

}  // namespace assay
