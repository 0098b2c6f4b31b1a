#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

using namespace plain;

Result<Shape> InferShuffle(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckArrayOperand(instruction, 0));
  const Shape& operand = instruction.operand(0).shape;
  const auto dimensions = instruction.Int64s("dimensions");
  const auto shifts = instruction.Int64s("shifts");
  ASSAY_CHECK_OK(CheckDimensionNumbers(instruction, "dimensions", dimensions, operand.rank()));
  if (shifts.size() != dimensions.size()) {
    return Illegal(instruction, "shifts must have an entry for each of the {} dimensions, found {}", dimensions.size(),
                   shifts.size());
  }
  return operand;
}

// result[index] = operand[index + shifts, modulo the sizes of the dimensions].
Literal EvaluateShuffle(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  const auto dimensions = instruction.Int64s("dimensions"), shifts = instruction.Int64s("shifts");
  Outputs result(instruction.shape);
  ForEachIndex(result.bounds(), [&](const Index& index) {
    Index place = index;
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
      const std::int64_t d = dimensions[i], size = result.bounds()[d];
      place[d] = (index[d] + shifts[i] % size + size) % size;
    }
    result.Set(index, At(operands[0], place));
  });
  return std::move(result).Take();
}

}  // namespace

const Op op_shuffle = {
    .name = "shuffle",
    .meaning =
        "Elements rotated: along dimensions[i], result index j has operand index j + shifts[i], modulo the size.",
    .syntax =
        {
            .attributes = {Required("dimensions", AttributeKind::kInt64List),
                           OneOf("mode", {"rotate"}, /*required=*/true), Required("shifts", AttributeKind::kInt64List)},
            .shape_is_inferable = false,
        },
    .legality = {.arity = Exactly(1), .types = kArrays, .infer = InferShuffle},
    .evaluation = {.evaluate = EvaluateShuffle},
};

}  // namespace assay
