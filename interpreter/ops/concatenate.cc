#include <utility>

#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/mixed_precision.h"

namespace assay {
namespace {

using namespace plain;

Result<Shape> InferConcatenate(const HloInstruction& instruction) {
  const auto dimensions = instruction.Int64s("dimensions");
  if (dimensions.size() != 1) {
    return Illegal(instruction, "dimensions must name one dimension, found {}", dimensions.size());
  }
  ASSAY_CHECK_OK(CheckArrayOperand(instruction, 0));
  const Shape& first = instruction.operand(0).shape;
  ASSAY_CHECK_OK(CheckDimensionNumbers(instruction, "dimensions", dimensions, first.rank()));
  Shape result = first;
  result.set_default_layout();
  for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
    ASSAY_CHECK_OK(CheckArrayOperand(instruction, i));
    const Shape& operand = instruction.operand(i).shape;
    if (!SameTypeIgnoringFpPrecision(operand.element_type(), first.element_type())) {
      return Illegal(instruction, "all operands must have one element type, found {} and {}",
                     first.ToStringWithoutLayout(), operand.ToStringWithoutLayout());
    }
    bool fits = operand.rank() == first.rank();
    for (std::int64_t d = 0; fits && d < first.rank(); ++d) {
      fits = d == dimensions[0] || operand.dimensions(d) == first.dimensions(d);
      if (operand.is_dynamic_dimension(d)) result.set_dynamic_dimension(d, true);
    }
    if (!fits) {
      return Illegal(instruction, "all operands must agree in every dimension but {}, found {} and {}", dimensions[0],
                     first.ToStringWithoutLayout(), operand.ToStringWithoutLayout());
    }
    std::int64_t sum = 0;
    if (__builtin_add_overflow(result.dimensions(dimensions[0]), operand.dimensions(dimensions[0]), &sum)) {
      return Illegal(instruction, "the size of dimension {} does not fit 63 bits", dimensions[0]);
    }
    result.set_dimensions(dimensions[0], sum);
    result.set_element_type(HigherPrecisionType(result.element_type(), operand.element_type()));
  }
  return result;
}

// result[index] = operands[k][index, minus the sizes of the operands before k along the dimension]
Literal EvaluateConcatenate(const HloInstruction& concatenate, std::span<Literal> operands, Evaluation&) {
  const std::int64_t d = concatenate.Int64s("dimensions")[0];
  Outputs result(concatenate.shape);
  std::int64_t before = 0;  // sizes along the dimension
  for (const Literal& operand : operands) {
    ForEachIndex(operand.shape().dimensions(), [&](const Index& index) {
      Index place = index;
      place[d] += before;
      result.Set(place, At(operand, index));
    });
    before += operand.shape().dimensions(d);
  }
  return std::move(result).Take();
}

void FitConcatenate(HloInstruction& concatenate) {
  const std::int64_t joined = concatenate.Int64s("dimensions")[0];
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t i = 1; i < concatenate.operands.size(); ++i) {
      for (std::int64_t d = 0; d < concatenate.operand(0).shape.rank(); ++d) {
        if (d != joined) Equalize(concatenate, 0, d, i, d);
      }
    }
  }
}

}  // namespace

const Op op_concatenate = {
    .name = "concatenate",
    .meaning = "Operands joined along one dimension.",
    .syntax = {.attributes = {OneDimension("dimensions")}},
    .legality = {.arity = AtLeast(1), .types = kArrays, .layouts = LayoutRule::kKept, .infer = InferConcatenate},
    .evaluation = {.evaluate = EvaluateConcatenate, .fit_run_time_sizes = FitConcatenate},
};

}  // namespace assay
