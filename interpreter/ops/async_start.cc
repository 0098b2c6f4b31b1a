#include <utility>
#include <vector>

#include "interpreter/ops/common/async_rules.h"
#include "interpreter/ops/common/call_rules.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// Checks the aliasing of a start. It names parameters of the computation and parts of its result, also those that are
// bound later.
Status CheckAliasingOfStart(const HloInstruction& instruction) {
  const HloComputation& computation = instruction.Computation("calls");
  std::vector<Shape> parameters, elements = instruction.shape.tuple_shapes();
  for (const HloInstruction* parameter : computation.Parameters()) parameters.push_back(parameter->shape);
  elements[0] = ShapeUtil::MakeTupleShape(parameters);
  elements[1] = computation.root->shape;
  return CheckAliasing(instruction, ShapeUtil::MakeTupleShape(std::move(elements)), parameters);
}

// Infers the operands and the result. The contexts are part of the written shape.
Result<Shape> InferAsyncStart(const HloInstruction& instruction) {
  if (!instruction.Has("calls")) return Illegal(instruction, "needs the computation to run: calls");
  ASSAY_CHECK_OK(CheckExecutionThread(instruction));
  ASSAY_CHECK_OK(CheckAsyncShape(instruction, instruction.shape));
  ASSAY_CHECK_OK(CheckAliasingOfStart(instruction));
  std::vector<Shape> elements = instruction.shape.tuple_shapes();
  elements[0] = ShapeUtil::MakeTupleShape(OperandShapes(instruction));
  return ShapeUtil::MakeTupleShape(std::move(elements));
}

Literal EvaluateAsyncStart(const HloInstruction& start, std::span<Literal> operands, Evaluation& evaluation) {
  std::vector<Literal> elements = {Literal::MakeTuple({operands.begin(), operands.end()}), Literal()};
  for (std::size_t i = 2; i < start.shape.tuple_shapes().size(); ++i)
    elements.emplace_back(start.shape.tuple_shapes(i));
  Literal value = Literal::MakeTuple(std::move(elements));
  StartWhenBound(start, value, evaluation);
  return value;
}

}  // namespace

const Op op_async_start = {
    .name = "async-start",
    .meaning = "The start of an asynchronous computation.",
    .role = OpRole::kAsyncStart,
    .syntax =
        {
            .attributes = {{.name = "async_execution_thread",
                            .kind = AttributeKind::kString,
                            .print = PrintRule::kIfNotDefault,
                            .default_value = std::string("main")},
                           OutputToOperandAliasing(),
                           Optional("calls", AttributeKind::kComputation)},
            .shape_is_inferable = false,
        },
    .legality =
        {
            .arity = AtLeast(0),
            .types = kAny,
            .layouts = LayoutRule::kInferred,
            .allows_mixed_precision = true,
            .accepts_buffers = true,
            .infer = InferAsyncStart,
        },
    .evaluation = {.evaluate = EvaluateAsyncStart, .sees_run_time_sizes = true},
};

}  // namespace assay
