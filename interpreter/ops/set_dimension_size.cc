#include <algorithm>
#include <cstdint>
#include <utility>

#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> InferSetDimensionSize(const HloInstruction& instruction) {
  ASSAY_TRY(const std::int64_t dimension, FindSizedDimension(instruction));
  const Shape& size = instruction.operand(1).shape;
  if (!size.IsScalar() || size.element_type() != S32) {
    return Illegal(instruction, "the size must be s32[], found {}", size.ToStringWithoutLayout());
  }
  Shape result = instruction.operand(0).shape;
  result.set_dynamic_dimension(dimension, true);
  return result;
}

// Clamps the size to [0, bound].
Literal EvaluateSetDimensionSize(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  const std::int64_t dimension = instruction.Int64s("dimensions")[0];
  const std::int64_t bound = instruction.shape.dimensions(dimension);
  const std::int64_t size = std::clamp<std::int64_t>(operands[1].IntegerAt(0), 0, bound);
  Literal result = WithShapeKeepingSizes(std::move(operands[0]), instruction.shape);
  result.set_dynamic_size(dimension, size);
  return result;
}

}  // namespace

const Op op_set_dimension_size = {
    .name = "set-dimension-size",
    .meaning = "The operand with the run-time size of a dimension set.",
    .syntax = {.attributes = {OneDimension("dimensions")}},
    .legality = {.arity = Exactly(2), .types = kArrays, .layouts = LayoutRule::kKept, .infer = InferSetDimensionSize},
    .evaluation = {.evaluate = EvaluateSetDimensionSize, .sees_run_time_sizes = true},
};

}  // namespace assay
