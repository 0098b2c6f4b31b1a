// One strided copy. Returns the operand itself if the slice is the whole.
#include <utility>

#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

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

}  // namespace

const OpKernel kernel_slice = {.op = &op_slice, .evaluate = EvaluateSlice};

}  // namespace assay
