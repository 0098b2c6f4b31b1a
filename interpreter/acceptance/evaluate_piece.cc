#include "interpreter/acceptance/evaluate_piece.h"

#include <algorithm>
#include <utility>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/unless_limited.h"
#include "interpreter/evaluator/single_steps.h"
#include "interpreter/hlo/extract.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

using Retype = std::function<PrimitiveType(PrimitiveType)>;

Shape WithType(Shape shape, const Retype& retype) {
  if (retype && shape.IsArray()) shape.set_element_type(retype(shape.element_type()));
  return shape;
}

// True if the instruction, or one that it calls, reads bits: those of another type mean something else.
bool ReadsBits(const HloInstruction& instruction) {
  return AcceptanceOf(instruction).Has(Trait::kKeepsBits) ||
         std::ranges::any_of(instruction.CalledComputations(), [](const HloComputation* called) {
           return std::ranges::any_of(called->instructions, [](const auto& one) { return ReadsBits(*one); });
         });
}

// True for an instruction whose value follows from its attributes and its operands, which are arrays of these types, so
// that no module need be made of it.
bool IsPlain(const HloInstruction& instruction, std::span<const Literal> operands, const Retype& retype) {
  const Acceptance rule = AcceptanceOf(instruction).rule;
  const bool is_alone = NeedsNoPlan(instruction) && rule != Acceptance::kTarget && rule != Acceptance::kStatistical;
  if (!is_alone || !instruction.shape.IsFixedArray() || operands.size() != instruction.operands.size()) return false;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Literal& operand = operands[i];
    const Shape& shape = instruction.operands[i]->shape;
    if (!shape.IsFixedArray() || operand.has_dynamic_sizes()) return false;
    if (!ShapeUtil::Compatible(operand.shape(), WithType(shape, retype))) return false;
  }
  return true;
}

// Evaluates a plain instruction, with other element types if `retype` or `result` are given.
Literal EvaluatePlain(const HloInstruction& instruction, std::vector<Literal> operands, const OpOverrides& overrides,
                      const Retype& retype, std::optional<PrimitiveType> result) {
  if (!retype && !result) return EvaluateWithoutPlan(instruction, std::move(operands), overrides);
  std::vector<HloInstruction> parameters(operands.size());
  HloInstruction copy = instruction;
  copy.shape = WithType(instruction.shape, retype);
  if (result) copy.shape.set_element_type(*result);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    parameters[i].op = OpWithRole(OpRole::kParameter);
    parameters[i].shape = WithType(instruction.operands[i]->shape, retype);
    copy.operands[i] = &parameters[i];
  }
  return EvaluateWithoutPlan(copy, std::move(operands), overrides);
}

}  // namespace

std::optional<Literal> EvaluateAlone(const HloInstruction& instruction, std::vector<Literal> operands,
                                     const OpOverrides& overrides,
                                     const std::function<PrimitiveType(PrimitiveType)>& retype,
                                     std::optional<PrimitiveType> result) {
  if (retype && ReadsBits(instruction)) return std::nullopt;
  if (IsPlain(instruction, operands, retype)) {
    Result<Literal> value = UnlessLimited(WithoutThrowing([&]() -> Result<Literal> {
      return EvaluatePlain(instruction, std::move(operands), overrides, retype, result);
    }));
    return value ? std::optional(*std::move(value)) : std::nullopt;
  }
  const HloInstruction* piece[] = {&instruction};
  const auto module = ExtractInstructions(piece, retype);
  if (result) module->entry->root->shape.set_element_type(*result);
  DeviceValues arguments = ByDevice(module->device_count(), std::move(operands));
  Result<Literal> value = UnlessLimited(EvaluateTogether(*module, std::move(arguments), {}, overrides));
  return value ? std::optional(*std::move(value)) : std::nullopt;
}

std::optional<Literal> EvaluateBy(EvaluateFunction body, const HloInstruction& instruction,
                                  std::span<const Literal> operands) {
  const Op op = WithBody(*instruction.op, body);
  return EvaluateAlone(instruction, {operands.begin(), operands.end()}, {{instruction.op, &op}});
}

const ValueSet* SetAlone::At(const Place& place) {
  if (!set_) {
    const HloInstruction* piece[] = {&instruction_};
    module_ = ExtractInstructions(piece);
    set_ = UnlessLimited(EvaluateSets(*module_, {operands_.begin(), operands_.end()}, profile_));
  }
  if (!*set_) return nullptr;
  const ValueSet* leaf = &**set_;
  for (const std::int64_t i : place.tuple_index) leaf = &leaf->elements[i];
  return leaf;
}

}  // namespace assay
