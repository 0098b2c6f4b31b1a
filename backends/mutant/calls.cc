#include <algorithm>

#include "backends/mutant/break.h"
#include "backends/mutant/families.h"

namespace assay {
namespace {

using CallOperands = std::vector<Literal>;

void ClampBranch(HloInstruction& conditional, CallOperands& operands) {
  if (operands[0].element_type() != S32 || operands[0].IntegerAt(0) >= 0) return;
  SetInteger(operands[0], 0, 0);
  static_cast<void>(conditional);
}

void RunOnceMore(HloInstruction& loop) {
  HloInstruction& root = *loop.Computation("condition").root;
  if (root.Has("direction") && root.String("direction") == "LT") root.Set("direction", std::string("LE"));
}

bool HaveOneShape(std::span<HloInstruction* const> values) {
  return std::ranges::all_of(
      values, [&](const HloInstruction* value) { return ShapeUtil::Compatible(value->shape, values[0]->shape); });
}

// Reverses the operands of a call, unless their shapes differ.
void ReverseCallOperands(HloInstruction& call) {
  if (HaveOneShape(call.operands)) std::ranges::reverse(call.operands);
}

void RotateScalars(HloInstruction& fusion) {
  std::vector<std::size_t> scalars;
  for (std::size_t i = 0; i < fusion.operands.size(); ++i) {
    const Shape& shape = fusion.operands[i]->shape;
    if (shape.IsScalar() && IsIntegralType(shape.element_type())) scalars.push_back(i);
  }
  std::vector<HloInstruction*> values;
  for (const std::size_t i : scalars) values.push_back(fusion.operands[i]);
  if (values.empty() || !HaveOneShape(values)) return;
  std::rotate(values.begin(), values.begin() + 1, values.end());
  for (std::size_t k = 0; k < scalars.size(); ++k) fusion.operands[scalars[k]] = values[k];
}

// Numbers a parameter by its place in the text, unless the shapes of the parameters differ.
void NumberByPlace(HloInstruction& parameter) {
  std::vector<HloInstruction*> parameters;
  for (const auto& instruction : parameter.parent->instructions) {
    if (instruction->op->role == OpRole::kParameter) parameters.push_back(instruction.get());
  }
  if (!HaveOneShape(parameters)) return;
  parameter.parameter_number = std::ranges::find(parameters, &parameter) - parameters.begin();
}

void RepeatElements(HloInstruction& tuple) {
  for (std::size_t i = 0; i < tuple.operands.size(); ++i) {
    tuple.operands[i] = *std::ranges::find_if(tuple.operands, [&](const HloInstruction* operand) {
      return ShapeUtil::Compatible(operand->shape, tuple.operands[i]->shape);
    });
  }
}

void TakeFirstOfShape(HloInstruction& element) {
  const std::vector<Shape>& shapes = element.operand(0).shape.tuple_shapes();
  const Shape& wanted = shapes[element.Int64("index")];
  const auto first = std::ranges::find_if(shapes, [&](const Shape& s) { return ShapeUtil::Compatible(s, wanted); });
  element.Set("index", static_cast<std::int64_t>(first - shapes.begin()));
}

void UpdateToOperand(const HloInstruction& update, std::span<const Literal>, Literal& result) {
  Literal promised = result.elements()[1];
  EndWithOperand(update, {&result, 1}, promised);
  result.mutable_elements()[1] = std::move(promised);
}

void CopyHalf(const HloInstruction&, std::span<const Literal>, Literal& result) {
  ForgetHalf(result.mutable_elements()[0]);
}

void SkipTarget(const HloInstruction& call, std::span<const Literal>, Literal& result) {
  if (call.shape.IsArray()) result = Literal(call.shape);
}

}  // namespace

std::vector<Mutant> CallMutants() {
  return {
      {"async_done_operand", "async-done", "the operand is handed over, not the result", BreakResult<EndWithOperand>},
      {"async_start_reverses_operands", "async-start", "operands of one shape are bound in reverse order", nullptr,
       ReverseCallOperands},
      {"async_update_operand", "async-update", "an update puts the operand where the result will be",
       BreakResult<UpdateToOperand>},
      {"call_reverses_operands", "call", "operands of one shape are bound in reverse order", nullptr,
       ReverseCallOperands},
      {"conditional_negative_index", "conditional", "a negative branch index means the first branch, not the last",
       BreakOperands<ClampBranch>},
      {"copy_done_early", "copy-done", "the end does not wait: the second half has not arrived",
       BreakResult<ForgetHalfOfResult>},
      {"copy_start_torn", "copy-start", "only the first half is copied", BreakResult<CopyHalf>},
      {"custom_call_not_called", "custom-call", "the target is not called: the result stays zero",
       BreakResult<SkipTarget>},
      {"fusion_rotates_scalars", "fusion", "scalars of one integer type are bound one place too far", nullptr,
       RotateScalars},
      {"get_tuple_element_first_of_shape", "get-tuple-element", "of elements of one shape the first is taken", nullptr,
       TakeFirstOfShape},
      {"parameter_by_place", "parameter", "arguments are bound in the order of the text, whatever their numbers",
       nullptr, NumberByPlace},
      {"tuple_repeats_elements", "tuple", "of operands of one shape the first stands for all", nullptr, RepeatElements},
      {"while_extra_iteration", "while", "a condition LT is taken for LE", nullptr, RunOnceMore},
  };
}

}  // namespace assay
