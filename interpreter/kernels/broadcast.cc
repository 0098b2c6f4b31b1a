// One strided copy with strides of zero. Returns the operand itself if only dimensions of size 1 are added.
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

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

}  // namespace

const OpKernel kernel_broadcast = {.op = &op_broadcast, .evaluate = EvaluateBroadcast};

}  // namespace assay
