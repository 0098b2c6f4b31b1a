#include <utility>
#include <vector>

#include "interpreter/ops/common/async_rules.h"
#include "interpreter/ops/common/call_rules.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// Infers the operands: those that are bound already, then the operands after the first. The result is part of the
// written shape, and binds at least what the operand's does; so are the contexts.
Result<Shape> InferAsyncUpdate(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckExecutionThread(instruction));
  const Shape& before = instruction.operand(0).shape;
  ASSAY_CHECK_OK(CheckAsyncShape(instruction, before));
  ASSAY_CHECK_OK(CheckAsyncShape(instruction, instruction.shape));
  ASSAY_CHECK_OK(CheckAliasing(instruction));
  std::vector<Shape> elements = instruction.shape.tuple_shapes();
  if (!IsBoundPart(before.tuple_shapes(1), elements[1])) elements[1] = before.tuple_shapes(1);
  elements[0] = before.tuple_shapes(0);
  for (const Shape& late : OperandShapes(instruction, 1)) elements[0].mutable_tuple_shapes().push_back(late);
  return ShapeUtil::MakeTupleShape(std::move(elements));
}

Literal EvaluateAsyncUpdate(const HloInstruction& update, std::span<Literal> operands, Evaluation& evaluation) {
  if (operands.size() == 1) return std::move(operands[0]);
  std::vector<Literal> elements = operands[0].elements();
  std::vector<Literal> bound = elements[0].elements();
  bound.insert(bound.end(), operands.begin() + 1, operands.end());
  elements[0] = Literal::MakeTuple(std::move(bound));
  Literal value = Literal::MakeTuple(std::move(elements));
  StartWhenBound(update, value, evaluation);
  return value;
}

}  // namespace

const Op op_async_update = {
    .name = "async-update",
    .meaning = "A point between the start and the end of an asynchronous computation.",
    .role = OpRole::kAsyncUpdate,
    .syntax =
        {
            .attributes = {ReadOnly("async_execution_thread", AttributeKind::kString), OutputToOperandAliasing(),
                           ReadOnly("calls", AttributeKind::kComputation)},
            .shape_is_inferable = false,
        },
    .legality =
        {
            .arity = AtLeast(1),
            .types = kTuples,
            .layouts = LayoutRule::kInferred,
            .allows_mixed_precision = true,
            .accepts_buffers = true,
            .infer = InferAsyncUpdate,
        },
    .evaluation = {.evaluate = EvaluateAsyncUpdate, .sees_run_time_sizes = true},
};

}  // namespace assay
