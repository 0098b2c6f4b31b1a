#include "interpreter/ops/common/async_rules.h"

#include <algorithm>
#include <span>

#include "interpreter/hlo/device.h"
#include "interpreter/hlo/op.h"
#include "interpreter/ops/common/call_rules.h"
#include "interpreter/ops/common/legality.h"

namespace assay {

bool IsBoundPart(const Shape& bound, const Shape& whole) {
  if (ShapeUtil::Compatible(bound, whole)) return true;
  if (!bound.IsTuple()) return false;
  if (bound.tuple_shapes().empty()) return true;
  if (!whole.IsTuple() || bound.tuple_shapes().size() > whole.tuple_shapes().size()) return false;
  return std::ranges::equal(bound.tuple_shapes(), std::span(whole.tuple_shapes()).first(bound.tuple_shapes().size()),
                            IsBoundPart);
}

Status CheckAsyncShape(const HloInstruction& instruction, const Shape& shape) {
  if (!shape.IsTuple() || shape.tuple_shapes().size() < 2 || !shape.tuple_shapes(0).IsTuple()) {
    return Illegal(instruction, "an asynchronous value has the shape ((operands...), result, contexts...), found {}",
                   shape.ToStringWithoutLayout());
  }
  const HloComputation* computation = WrappedComputation(instruction);
  if (computation == nullptr) return {};
  const std::vector<Shape>& operands = shape.tuple_shapes(0).tuple_shapes();
  ASSAY_TRY(const auto parameters, ParametersOf(instruction, *computation));
  if (operands.size() > parameters.size()) {
    return Illegal(instruction, "the computation {} takes {} operands, found {}", computation->name, parameters.size(),
                   operands.size());
  }
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (ShapeUtil::Compatible(operands[i], parameters[i]->shape)) continue;  // without the words of an error
    ASSAY_CHECK_OK(CheckSameShape(instruction, fmt::format("operand {}", i), operands[i],
                                  fmt::format("parameter {} of {}", i, computation->name), parameters[i]->shape));
  }
  if (IsBoundPart(shape.tuple_shapes(1), computation->root->shape)) return {};
  return CheckSameShape(instruction, "the result", shape.tuple_shapes(1), computation->name, computation->root->shape);
}

Status CheckExecutionThread(const HloInstruction& instruction) {
  const HloComputation* computation = WrappedComputation(instruction);
  const auto* written = instruction.Find<std::string>("async_execution_thread");
  if (computation == nullptr || written == nullptr || *written == computation->execution_thread) return {};
  return Illegal(instruction, "async_execution_thread \"{}\" must be that of {}, \"{}\"", *written, computation->name,
                 computation->execution_thread);
}

void StartWhenBound(const HloInstruction& instruction, Literal& value, Evaluation& evaluation) {
  const HloComputation* computation = WrappedComputation(instruction);
  if (computation == nullptr) {
    throw EvaluationError{{ErrorCode::kUnsupported,
                           "operands that are bound after the value went through a tuple, a loop or a call",
                           instruction.location}};
  }
  std::vector<Literal> bound = value.elements()[0].elements();
  if (bound.size() != computation->Parameters().size()) return;
  value.mutable_elements()[1] =
      evaluation.device().Start(instruction, computation->root->shape,
                                [computation, bound](Evaluation& flow) { return flow.Call(*computation, bound); });
}

}  // namespace assay
