#include <fmt/format.h>

#include <algorithm>

#include "interpreter/hlo/op.h"
#include "interpreter/hlo/verifier_rules.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

// True if the shape itself, or an element of it at any depth, satisfies the condition.
template <class Condition>
bool AnySubshape(const Shape& shape, Condition condition) {
  return condition(shape) || std::ranges::any_of(shape.tuple_shapes(),
                                                 [&](const Shape& element) { return AnySubshape(element, condition); });
}

bool CheckShape(const HloInstruction& instruction, ErrorList& errors) {
  Status status = ShapeUtil::ValidateShape(instruction.shape);
  if (status) return true;
  errors.Add(Error{status.error().code, fmt::format("{}: {}", instruction.name, status.error().message),
                   instruction.location});
  return false;
}

bool CheckElementType(const HloInstruction& instruction, ErrorList& errors) {
  const Op& op = *instruction.op;
  const Shape& shape = instruction.operands.empty() ? instruction.shape : instruction.operand(0).shape;
  if (op.legality.types.contains(shape.element_type())) return true;
  std::vector<std::string_view> legal;
  for (int type = 0; type < kPrimitiveTypeCount; ++type) {
    const auto primitive_type = static_cast<PrimitiveType>(type);
    if (op.legality.types.contains(primitive_type)) legal.push_back(PrimitiveTypeName(primitive_type));
  }
  errors.Add(instruction, "{} {} cannot be {}; it takes {}",
             instruction.operands.empty() ? "the result of" : "operand 0 of", op.name, shape.ToStringWithoutLayout(),
             JoinText(legal, " "));
  return false;
}

void CheckMixedPrecision(const HloInstruction& instruction, ErrorList& errors) {
  if (instruction.op->legality.allows_mixed_precision) return;
  PrimitiveType first = PRIMITIVE_TYPE_INVALID;
  for (const HloInstruction* operand : instruction.operands) {
    PrimitiveType other = PRIMITIVE_TYPE_INVALID;
    const bool is_mixed = AnySubshape(operand->shape, [&](const Shape& shape) {
      other = shape.element_type();
      if (!IsFloatingPointType(other)) return false;
      if (first == PRIMITIVE_TYPE_INVALID) first = other;
      return other != first;
    });
    if (!is_mixed) continue;
    errors.Add(instruction,
               "floating operands of {} must have the same type, found {} and {}; --mixed-precision converts them",
               instruction.op->name, PrimitiveTypeName(first), PrimitiveTypeName(other));
    return;
  }
}

void CheckBuffers(const HloInstruction& instruction, ErrorList& errors) {
  const auto is_buffer = [](const Shape& shape) { return shape.IsBuffer(); };
  const bool is_entry_parameter =
      instruction.op->role == OpRole::kParameter && instruction.parent == instruction.parent->module->entry;
  if (AnySubshape(instruction.shape, is_buffer) && (is_entry_parameter || !instruction.op->legality.accepts_buffers)) {
    errors.Add(instruction, "{} cannot be a buffer, found {}",
               is_entry_parameter ? "a parameter of the entry computation"
                                  : fmt::format("the result of {}", instruction.op->name),
               instruction.shape.ToStringWithoutLayout());
  }
  if (instruction.op->legality.accepts_buffers) return;
  for (const HloInstruction* operand : instruction.operands) {
    if (AnySubshape(operand->shape, is_buffer)) {
      errors.Add(instruction, "{} does not take the buffer {}", instruction.op->name, operand->name);
    }
  }
}

void CheckLiteral(const HloInstruction& instruction, ErrorList& errors) {
  if (instruction.op->role != OpRole::kConstant || instruction.literal_is_elided) return;
  if (!instruction.literal) {
    errors.Add(instruction, "a constant must have a value");
  } else if (!ShapeUtil::Compatible(instruction.literal->shape(), instruction.shape)) {
    errors.Add(instruction, "declared {}, the value is {}", instruction.shape.ToStringWithoutLayout(),
               instruction.literal->shape().ToStringWithoutLayout());
  }
}

void CheckResultAccuracy(const HloInstruction& instruction, ErrorList& errors) {
  const auto& accuracy = instruction.result_accuracy;
  if (!accuracy) return;
  if (!instruction.op->syntax.accepts_result_accuracy) {
    errors.Add(instruction, "{} has no result_accuracy", instruction.op->name);
  } else if (accuracy->atol < 0 || accuracy->rtol < 0 || accuracy->ulps < 0) {
    errors.Add(instruction, "tolerances cannot be negative, found {}", accuracy->ToString(/*is_exact=*/true));
  }
}

// Checks that a called computation runs on the thread of its caller; an asynchronous op is the exception.
void CheckExecutionThread(const HloInstruction& instruction, ErrorList& errors) {
  const OpRole role = instruction.op->role;
  if (role == OpRole::kAsyncStart || role == OpRole::kAsyncUpdate || role == OpRole::kAsyncDone) return;
  for (const HloComputation* called : instruction.CalledComputations()) {
    if (called->execution_thread == instruction.parent->execution_thread) continue;
    errors.Add(instruction,
               "{} runs on the thread \"{}\", the called {} on \"{}\"; async-start begins one on another thread",
               instruction.parent->name, instruction.parent->execution_thread, called->name, called->execution_thread);
  }
}

void CheckInferredShape(const HloInstruction& instruction, ErrorList& errors) {
  Result<Shape> inferred = instruction.op->legality.infer(instruction);
  if (!inferred) {
    Error error = std::move(inferred).error();
    error.message = fmt::format("{}: {}", instruction.name, error.message);
    error.location = instruction.location;
    errors.Add(std::move(error));
    return;
  }
  if (ShapeUtil::Compatible(instruction.shape, *inferred)) return;
  errors.Add(instruction, "{}: declared {}, inferred {}", instruction.op->name,
             instruction.shape.ToStringWithoutLayout(), inferred->ToStringWithoutLayout());
}

}  // namespace

void CheckInstruction(const HloInstruction& instruction, ErrorList& errors) {
  // The rules of an op may rely on valid shapes.
  if (!CheckShape(instruction, errors)) return;
  for (const HloInstruction* operand : instruction.operands) {
    if (!ShapeUtil::ValidateShape(operand->shape)) return;
  }
  if (!CheckElementType(instruction, errors)) return;
  CheckMixedPrecision(instruction, errors);
  CheckBuffers(instruction, errors);
  CheckLiteral(instruction, errors);
  CheckResultAccuracy(instruction, errors);
  CheckExecutionThread(instruction, errors);
  CheckInferredShape(instruction, errors);
}

}  // namespace assay
