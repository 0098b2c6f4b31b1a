#include <utility>

#include "interpreter/ops/common/images.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/strided_copy.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

Result<Shape> Infer(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckArrayOperand(instruction, 0));
  const Shape& operand = instruction.operand(0).shape;
  ASSAY_CHECK_OK(CheckDimensionNumbers(instruction, "dimensions", instruction.Int64s("dimensions"), operand.rank()));
  return operand;
}

Literal Evaluate(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
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

const Op op_reverse = {
    .name = "reverse",
    .meaning = "Elements in reverse order along the listed dimensions.",
    .syntax = {.attributes = {Required("dimensions", AttributeKind::kInt64List)}},
    .legality = {.arity = Exactly(1), .types = kArrays, .layouts = LayoutRule::kKept, .infer = Infer},
    .evaluation = {.evaluate = Evaluate, .keeps_scalars = true},
    .acceptance = {.image = MovesAll, .keeps_terms = true},
};

}  // namespace assay
