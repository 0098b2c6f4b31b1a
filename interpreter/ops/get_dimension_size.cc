#include <cstdint>

#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> InferGetDimensionSize(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(FindSizedDimension(instruction));
  return ShapeUtil::MakeScalarShape(S32);
}

Literal EvaluateGetDimensionSize(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  const std::int64_t size = operands[0].dynamic_size(instruction.Int64s("dimensions")[0]);
  return LiteralUtil::CreateR0(S32, static_cast<std::int32_t>(size));
}

}  // namespace

const Op op_get_dimension_size = {
    .name = "get-dimension-size",
    .meaning = "The run-time size of a dimension.",
    .syntax = {.attributes = {OneDimension("dimensions")}},
    .legality = {.arity = Exactly(1), .types = kArrays, .infer = InferGetDimensionSize},
    .evaluation = {.evaluate = EvaluateGetDimensionSize, .sees_run_time_sizes = true},
};

}  // namespace assay
