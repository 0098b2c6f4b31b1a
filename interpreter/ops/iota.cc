#include <numeric>

#include "interpreter/numerics/convert.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/strided_copy.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> Infer(const HloInstruction& instruction) {
  const Shape& shape = instruction.shape;
  if (!shape.IsArray() || shape.rank() == 0 || shape.element_type() == PRED) {
    return Illegal(instruction, "the result must be an array of rank 1 or more of a numeric type, found {}",
                   shape.ToStringWithoutLayout());
  }
  const std::int64_t dimension = instruction.Int64("iota_dimension");
  ASSAY_CHECK_OK(CheckDimensionNumbers(instruction, "iota_dimension", {&dimension, 1}, shape.rank()));
  return shape;
}

Literal Evaluate(const HloInstruction& instruction, std::span<Literal>, Evaluation&) {
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

const Op op_iota = {
    .name = "iota",
    .meaning = "Each element is its index along one dimension.",
    .syntax = {.attributes = {Required("iota_dimension", AttributeKind::kInt64)}, .shape_is_inferable = false},
    .legality = {.arity = Exactly(0), .types = kIntegral | kFloats | kComplex, .infer = Infer},
    .evaluation = {.evaluate = Evaluate},
    .acceptance = {.rounds = true},
};

}  // namespace assay
