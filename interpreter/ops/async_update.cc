#include <utility>
#include <vector>

#include "interpreter/ops/common/async_rules.h"
#include "interpreter/ops/common/call_rules.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// Infers the operand's shape with more operands bound: operands after the first follow those that are bound already.
Result<Shape> InferAsyncUpdate(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckExecutionThread(instruction));
  ASSAY_CHECK_OK(CheckAsyncShape(instruction, instruction.operand(0).shape));
  Shape result = instruction.operand(0).shape;
  for (const Shape& late : OperandShapes(instruction, 1)) {
    result.mutable_tuple_shapes()[0].mutable_tuple_shapes().push_back(late);
  }
  ASSAY_CHECK_OK(CheckAsyncShape(instruction, result));
  return result;
}

Literal EvaluateAsyncUpdate(const HloInstruction& update, std::span<Literal> operands, Evaluation& evaluation) {
  if (operands.size() == 1) return std::move(operands[0]);
  std::vector<Literal> elements = operands[0].elements();
  std::vector<Literal> bound = elements[0].elements();
  bound.insert(bound.end(), operands.begin() + 1, operands.end());
  elements[0] = Literal::MakeTuple(std::move(bound));
  Literal value = Literal::MakeTuple(std::move(elements));
  StartWhenBound(update, update.shape, value, evaluation);
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
