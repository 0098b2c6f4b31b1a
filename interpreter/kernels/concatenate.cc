// A strided copy of each operand.
#include <utility>

#include "interpreter/kernels/common/converted.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

Literal EvaluateConcatenate(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  const Shape& shape = instruction.shape;
  if (operands.size() == 1) return WithElementType(std::move(operands[0]), shape.element_type()).WithShape(shape);
  Literal result = Literal::Uninitialized(shape);
  if (result.element_count() == 0) return result;
  const std::int64_t dimension = instruction.Int64s("dimensions")[0];
  const auto strides = RowMajorStrides(shape.dimensions());
  const int bytes = StorageBytes(shape.element_type());
  std::byte* to = result.mutable_data();
  for (Literal& operand : operands) {
    const Literal part = WithElementType(std::move(operand), shape.element_type());
    const Dimensions& sizes = part.shape().dimensions();
    StridedCopy(bytes, sizes, RowMajorStrides(sizes), strides).ParallelCopy(part.data(), to);
    to += sizes[dimension] * strides[dimension] * bytes;
  }
  return result;
}

}  // namespace

const OpKernel kernel_concatenate = {.op = &op_concatenate, .evaluate = EvaluateConcatenate};

}  // namespace assay
