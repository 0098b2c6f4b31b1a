#include <utility>

#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/start_indices.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/mixed_precision.h"

namespace assay {
namespace {

using namespace plain;

Result<Shape> InferDynamicUpdateSlice(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckArrayOperand(instruction, 0));
  ASSAY_CHECK_OK(CheckArrayOperand(instruction, 1));
  const Shape& operand = instruction.operand(0).shape;
  const Shape& update = instruction.operand(1).shape;
  ASSAY_CHECK_OK(CheckStartIndices(instruction, 2, operand.rank()));
  if (update.rank() != operand.rank()) {
    return Illegal(instruction, "the update must have the rank of the operand {}, found {}",
                   operand.ToStringWithoutLayout(), update.ToStringWithoutLayout());
  }
  if (!SameTypeIgnoringFpPrecision(operand.element_type(), update.element_type())) {
    return Illegal(instruction, "the update must have the element type of the operand {}, found {}",
                   operand.ToStringWithoutLayout(), update.ToStringWithoutLayout());
  }
  for (std::int64_t d = 0; d < operand.rank(); ++d) {
    if (update.dimensions(d) > operand.dimensions(d)) {
      return Illegal(instruction, "dimension {} of the update must be at most {}, found {}", d, operand.dimensions(d),
                     update.dimensions(d));
    }
  }
  return operand;
}

// result[start + index] = update[index], and the operand's elements elsewhere. Clamps the start so that the update is
// inside.
Literal EvaluateDynamicUpdateSlice(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  const Literal &operand = operands[0], &update = operands[1];
  const Index start = ClampedStarts(operands.subspan(2), operand.shape().dimensions(), update.shape().dimensions());
  Outputs result(instruction.shape);
  ForEachIndex(result.bounds(), [&](const Index& index) { result.Set(index, At(operand, index)); });
  ForEachIndex(update.shape().dimensions(),
               [&](const Index& index) { result.Set(Plus(start, index), At(update, index)); });
  return std::move(result).Take();
}

void FitDynamicUpdateSlice(HloInstruction& instruction) {
  for (std::int64_t d = 0; d < instruction.operand(0).shape.rank(); ++d) {
    ShrinkTo(instruction, 1, d, instruction.operand(0).shape.dimensions(d));
  }
}

}  // namespace

const Op op_dynamic_update_slice = {
    .name = "dynamic-update-slice",
    .meaning = "The operand with a box replaced at run-time start indices, clamped into range.",
    .legality =
        {
            .arity = AtLeast(2),
            .types = kArrays,
            .layouts = LayoutRule::kKept,
            .infer = InferDynamicUpdateSlice,
        },
    .evaluation = {.evaluate = EvaluateDynamicUpdateSlice, .fit_run_time_sizes = FitDynamicUpdateSlice},
};

}  // namespace assay
