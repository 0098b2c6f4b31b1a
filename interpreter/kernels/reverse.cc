// One strided copy with negative strides. Returns the operand itself if nothing moves.
#include <utility>

#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

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

}  // namespace

const OpKernel kernel_reverse = {.op = &op_reverse, .evaluate = EvaluateReverse};

}  // namespace assay
