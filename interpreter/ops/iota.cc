#include <utility>

#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

using namespace plain;

Result<Shape> InferIota(const HloInstruction& instruction) {
  const Shape& shape = instruction.shape;
  if (!shape.IsArray() || shape.rank() == 0 || shape.element_type() == PRED) {
    return Illegal(instruction, "the result must be an array of rank 1 or more of a numeric type, found {}",
                   shape.ToStringWithoutLayout());
  }
  const std::int64_t dimension = instruction.Int64("iota_dimension");
  ASSAY_CHECK_OK(CheckDimensionNumbers(instruction, "iota_dimension", {&dimension, 1}, shape.rank()));
  return shape;
}

// result[index] = index[iota_dimension], converted
Literal EvaluateIota(const HloInstruction& iota, std::span<Literal>, Evaluation&) {
  Outputs result(iota.shape);
  ForEachIndex(result.bounds(),
               [&](const Index& index) { result.Set(index, Integer(index[iota.Int64("iota_dimension")])); });
  return std::move(result).Take();
}

}  // namespace

const Op op_iota = {
    .name = "iota",
    .meaning = "Each element is its index along one dimension.",
    .syntax = {.attributes = {Required("iota_dimension", AttributeKind::kInt64)}, .shape_is_inferable = false},
    .legality = {.arity = Exactly(0), .types = kIntegral | kFloats | kComplex, .infer = InferIota},
    .evaluation = {.evaluate = EvaluateIota},
};

}  // namespace assay
