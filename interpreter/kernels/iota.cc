// Converts one line of numbers once, and copies it with strides of zero.
#include <numeric>
#include <vector>

#include "interpreter/kernels/kernels.h"
#include "interpreter/numerics/convert.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

Literal EvaluateIota(const HloInstruction& instruction, std::span<Literal>, Evaluation&) {
  const Shape& shape = instruction.shape;
  const std::int64_t dimension = instruction.Int64("iota_dimension");
  const std::int64_t size = shape.dimensions(dimension);
  Literal numbers = Literal::Uninitialized(ShapeUtil::MakeShape(S64, {size}));
  const auto out = numbers.mutable_values<std::int64_t>();
  std::iota(out.begin(), out.end(), 0);
  Literal line = Literal::Uninitialized(ShapeUtil::MakeShape(shape.element_type(), {size}));
  Convert(S64, numbers.data(), shape.element_type(), line.mutable_data(), size);
  std::vector<std::int64_t> strides(shape.rank(), 0);
  strides[dimension] = 1;
  return StridedRead(shape, line, 0, strides);
}

}  // namespace

const OpKernel kernel_iota = {.op = &op_iota, .evaluate = EvaluateIota};

}  // namespace assay
