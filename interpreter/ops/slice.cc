#include <algorithm>
#include <utility>

#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

using namespace plain;

Result<Shape> InferSlice(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckArrayOperand(instruction, 0));
  const Shape& operand = instruction.operand(0).shape;
  const SliceConfig& slice = *instruction.Find<SliceConfig>("slice");
  if (static_cast<std::int64_t>(slice.size()) != operand.rank()) {
    return Illegal(instruction, "slice must have an entry for each of the {} dimensions, found {}", operand.rank(),
                   slice.size());
  }
  Shape result = operand;
  for (std::int64_t d = 0; d < operand.rank(); ++d) {
    const auto [start, limit, stride] = slice[d];
    if (start < 0 || start > limit || limit > operand.dimensions(d)) {
      return Illegal(instruction, "dimension {} needs 0 <= start <= limit <= {}, found start {} and limit {}", d,
                     operand.dimensions(d), start, limit);
    }
    if (stride < 1) return Illegal(instruction, "dimension {} needs a stride of at least 1, found {}", d, stride);
    result.set_dimensions(d, limit == start ? 0 : (limit - start - 1) / stride + 1);
    if (result.dimensions(d) == 1) result.set_dynamic_dimension(d, false);
  }
  return result;
}

// result[index] = operand[start + index * stride]
Literal EvaluateSlice(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  const SliceConfig& slice = *instruction.Find<SliceConfig>("slice");
  Outputs result(instruction.shape);
  ForEachIndex(result.bounds(), [&](const Index& index) {
    Index place = index;
    for (std::size_t d = 0; d < slice.size(); ++d) place[d] = slice[d].start + index[d] * slice[d].stride;
    result.Set(index, At(operands[0], place));
  });
  return std::move(result).Take();
}

void FitSlice(HloInstruction& instruction) {
  SliceConfig slice = *instruction.Find<SliceConfig>("slice");
  for (std::size_t d = 0; d < slice.size(); ++d) {
    slice[d].limit = std::min(slice[d].limit, instruction.operand(0).shape.dimensions(d));
    slice[d].start = std::min(slice[d].start, slice[d].limit);
  }
  instruction.Set("slice", std::move(slice));
}

}  // namespace

const Op op_slice = {
    .name = "slice",
    .meaning = "A strided box of the operand.",
    .syntax = {.attributes = {Required("slice", AttributeKind::kSlice)}, .shape_is_inferable = false},
    .legality = {.arity = Exactly(1), .types = kArrays, .layouts = LayoutRule::kKept, .infer = InferSlice},
    .evaluation = {.evaluate = EvaluateSlice, .fit_run_time_sizes = FitSlice},
};

}  // namespace assay
