// One strided copy.
#include <numeric>
#include <utility>

#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/common/start_indices.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

Literal EvaluateDynamicSlice(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  const Dimensions& dimensions = operands[0].shape().dimensions();
  if (operands[0].element_count() == ShapeUtil::ElementsIn(instruction.shape)) {
    return std::move(operands[0]).WithShape(instruction.shape);  // every start is clamped to 0
  }
  const Dimensions starts = ClampedStarts(operands.subspan(1), dimensions, instruction.Int64s("dynamic_slice_sizes"));
  const auto strides = RowMajorStrides(dimensions);
  const std::int64_t first = std::inner_product(starts.begin(), starts.end(), strides.begin(), std::int64_t{0});
  return StridedRead(instruction.shape, operands[0], first, strides);
}

}  // namespace

const OpKernel kernel_dynamic_slice = {.op = &op_dynamic_slice, .evaluate = EvaluateDynamicSlice};

}  // namespace assay
