#include <algorithm>
#include <utility>

#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/start_indices.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

using namespace plain;

Result<Shape> InferDynamicSlice(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckArrayOperand(instruction, 0));
  const Shape& operand = instruction.operand(0).shape;
  ASSAY_CHECK_OK(CheckStartIndices(instruction, 1, operand.rank()));
  const auto sizes = instruction.Int64s("dynamic_slice_sizes");
  if (static_cast<std::int64_t>(sizes.size()) != operand.rank()) {
    return Illegal(instruction, "dynamic_slice_sizes must have an entry for each of the {} dimensions, found {}",
                   operand.rank(), sizes.size());
  }
  for (std::int64_t d = 0; d < operand.rank(); ++d) {
    if (sizes[d] < 0 || sizes[d] > operand.dimensions(d)) {
      return Illegal(instruction, "the slice size of dimension {} must be in [0, {}], found {}", d,
                     operand.dimensions(d), sizes[d]);
    }
  }
  return ShapeUtil::MakeShape(operand.element_type(), {sizes.begin(), sizes.end()});
}

// result[index] = operand[start + index]. Clamps each start to [0, dimension - size], so that the slice is inside the
// operand.
Literal EvaluateDynamicSlice(const HloInstruction& slice, std::span<Literal> operands, Evaluation&) {
  const Index start =
      ClampedStarts(operands.subspan(1), operands[0].shape().dimensions(), slice.Int64s("dynamic_slice_sizes"));
  Outputs result(slice.shape);
  ForEachIndex(result.bounds(), [&](const Index& index) { result.Set(index, At(operands[0], Plus(start, index))); });
  return std::move(result).Take();
}

void FitDynamicSlice(HloInstruction& slice) {
  const auto written = slice.Int64s("dynamic_slice_sizes");
  Int64List sizes(written.begin(), written.end());
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    sizes[d] = std::min(sizes[d], slice.operand(0).shape.dimensions(d));
  }
  slice.Set("dynamic_slice_sizes", std::move(sizes));
}

}  // namespace

const Op op_dynamic_slice = {
    .name = "dynamic-slice",
    .meaning = "A box of the operand at run-time start indices, clamped into range.",
    .syntax = {.attributes = {Required("dynamic_slice_sizes", AttributeKind::kInt64List)}, .shape_is_inferable = false},
    .legality = {.arity = AtLeast(1), .types = kArrays, .layouts = LayoutRule::kKept, .infer = InferDynamicSlice},
    .evaluation = {.evaluate = EvaluateDynamicSlice, .fit_run_time_sizes = FitDynamicSlice},
};

}  // namespace assay
