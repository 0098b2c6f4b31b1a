#include "interpreter/evaluator/run_time_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "interpreter/types/bounded_array.h"

namespace assay {
namespace {

bool HasDynamicDimension(const Shape& shape) {
  for (std::int64_t d = 0; d < shape.rank(); ++d) {
    if (shape.is_dynamic_dimension(d)) return true;
  }
  return false;
}

// The instruction rewritten for operands of these run-time sizes.
struct FittedInstruction {
  HloInstruction instruction;
  std::deque<HloInstruction> operands;
};

void Fit(const HloInstruction& bounded, std::span<const Literal> operands, FittedInstruction& fitted) {
  fitted.instruction = bounded;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    HloInstruction& operand = fitted.operands.emplace_back(*bounded.operands[i]);
    if (operands[i].shape().IsArray()) operand.shape = RunTimeShape(operands[i]);
    fitted.instruction.operands[i] = &operand;
  }
  if (bounded.op->evaluation.fit_run_time_sizes != nullptr)
    bounded.op->evaluation.fit_run_time_sizes(fitted.instruction);
  Result<Shape> shape = bounded.op->legality.infer(fitted.instruction);
  if (!shape) {
    throw EvaluationError{
        {ErrorCode::kInput, fmt::format("at the run-time sizes, {}", shape.error().message), bounded.location}};
  }
  fitted.instruction.shape = *std::move(shape);
}

// Returns a result of run-time sizes, padded to the bound of the instruction's shape.
Literal UnderBound(Literal result, const Shape& bound) {
  if (!bound.IsTuple()) return WithBound(result, bound);
  for (std::size_t i = 0; i < result.elements().size(); ++i) {
    Literal& element = result.mutable_elements()[i];
    element = UnderBound(std::move(element), bound.tuple_shapes(i));
  }
  return std::move(result).WithShape(bound);
}

}  // namespace

bool HasRunTimeSizes(std::span<const Literal> operands) { return std::ranges::any_of(operands, IsBelowItsBound); }

Literal EvaluateAtRunTimeSizes(const Op& op, const HloInstruction& instruction, std::span<Literal> operands,
                               Evaluation& evaluation) {
  FittedInstruction fitted;
  Fit(instruction, operands, fitted);
  std::vector<Literal> live;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Shape& shape = fitted.operands[i].shape;
    live.push_back(shape.IsArray() ? LeadingElements(operands[i], shape) : std::move(operands[i]));
  }
  return UnderBound(op.evaluation.evaluate(fitted.instruction, live, evaluation), instruction.shape);
}

Literal ToHost(Literal value) {
  for (Literal& element : value.mutable_elements()) element = ToHost(std::move(element));
  if (value.shape().IsTuple()) return Literal::MakeTuple(std::move(value.mutable_elements()));
  if (!value.shape().IsArray() || (!HasDynamicDimension(value.shape()) && !value.has_dynamic_sizes())) return value;
  return LeadingElements(value, RunTimeShape(value));
}

bool FitArgument(const Shape& parameter, Literal& argument) {
  if (ShapeUtil::Compatible(argument.shape(), parameter)) return true;
  const Shape& shape = argument.shape();
  if (!parameter.IsArray() || !shape.IsArray() || shape.element_type() != parameter.element_type() ||
      shape.rank() != parameter.rank()) {
    return false;
  }
  for (std::int64_t d = 0; d < shape.rank(); ++d) {
    const bool fits = parameter.is_dynamic_dimension(d) ? shape.dimensions(d) <= parameter.dimensions(d)
                                                        : shape.dimensions(d) == parameter.dimensions(d);
    if (!fits) return false;
  }
  argument = WithBound(argument, parameter);
  return true;
}

void SetElementwiseSizes(std::span<const Literal> operands, Literal& result) {
  for (const Literal& operand : operands) {
    if (!operand.has_dynamic_sizes() || operand.shape().rank() != result.shape().rank()) continue;
    for (std::int64_t d = 0; d < result.shape().rank(); ++d) {
      result.set_dynamic_size(d, std::min(result.dynamic_size(d), operand.dynamic_size(d)));
    }
  }
}

}  // namespace assay
