#include <utility>

#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> InferGetTupleElement(const HloInstruction& instruction) {
  const Shape& tuple = instruction.operand(0).shape;
  const std::int64_t index = instruction.Int64("index");
  if (!tuple.IsTuple()) {
    return Illegal(instruction, "operand 0 must be a tuple, found {}", tuple.ToStringWithoutLayout());
  }
  const auto size = static_cast<std::int64_t>(tuple.tuple_shapes().size());
  if (index < 0 || index >= size) {
    return Illegal(instruction, "index {} is outside [0, {}) of {}", index, size, tuple.ToStringWithoutLayout());
  }
  return tuple.tuple_shapes(index);
}

Literal EvaluateGetTupleElement(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  return std::move(operands[0].mutable_elements()[instruction.Int64("index")]);
}

}  // namespace

const Op op_get_tuple_element = {
    .name = "get-tuple-element",
    .meaning = "One element of a tuple.",
    .role = OpRole::kGetTupleElement,
    .syntax = {.attributes = {Required("index", AttributeKind::kInt64)}},
    .legality =
        {
            .arity = Exactly(1),
            .types = kTuples,
            .layouts = LayoutRule::kInferred,
            .allows_mixed_precision = true,
            .accepts_buffers = true,
            .forwards_operands = true,
            .infer = InferGetTupleElement,
        },
    .evaluation = {.evaluate = EvaluateGetTupleElement},
};

}  // namespace assay
