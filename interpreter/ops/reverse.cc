#include <utility>

#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

using namespace plain;

Result<Shape> InferReverse(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckArrayOperand(instruction, 0));
  const Shape& operand = instruction.operand(0).shape;
  ASSAY_CHECK_OK(CheckDimensionNumbers(instruction, "dimensions", instruction.Int64s("dimensions"), operand.rank()));
  return operand;
}

// result[index] = operand[index, with n - 1 - index[d] in each reversed dimension d of size n]
Literal EvaluateReverse(const HloInstruction& reverse, std::span<Literal> operands, Evaluation&) {
  Outputs result(reverse.shape);
  ForEachIndex(result.bounds(), [&](const Index& index) {
    Index place = index;
    for (const std::int64_t d : reverse.Int64s("dimensions")) place[d] = result.bounds()[d] - 1 - index[d];
    result.Set(index, At(operands[0], place));
  });
  return std::move(result).Take();
}

}  // namespace

const Op op_reverse = {
    .name = "reverse",
    .meaning = "Elements in reverse order along the listed dimensions.",
    .syntax = {.attributes = {Required("dimensions", AttributeKind::kInt64List)}},
    .legality = {.arity = Exactly(1), .types = kArrays, .layouts = LayoutRule::kKept, .infer = InferReverse},
    .evaluation = {.evaluate = EvaluateReverse, .keeps_scalars = true},
};

}  // namespace assay
