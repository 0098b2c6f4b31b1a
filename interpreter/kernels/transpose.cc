// One strided copy. Returns the operand itself if no element moves.
#include <utility>
#include <vector>

#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

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

Literal EvaluateTranspose(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  Literal& operand = operands[0];
  const auto permutation = instruction.Int64s("dimensions");
  if (KeepsOrder(operand.shape(), permutation)) return std::move(operand).WithShape(instruction.shape);
  const auto operand_strides = RowMajorStrides(operand.shape().dimensions());
  std::vector<std::int64_t> strides;
  for (std::int64_t d : permutation) strides.push_back(operand_strides[d]);
  return StridedRead(instruction.shape, operand, 0, strides);
}

}  // namespace

const OpKernel kernel_transpose = {.op = &op_transpose, .evaluate = EvaluateTranspose};

}  // namespace assay
