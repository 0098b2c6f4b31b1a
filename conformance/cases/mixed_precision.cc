#include "conformance/cases/mixed_precision.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "interpreter/hlo/op.h"
#include "interpreter/types/mixed_precision.h"

namespace assay {
namespace {

bool IsFloatingArray(const Shape& shape) { return shape.IsArray() && IsFloatingPointType(shape.element_type()); }

// Returns the declared shape with other floating types.
template <class Choose>
Shape WithTypes(Shape shape, Choose type_of) {
  if (!shape.IsTuple()) {
    if (IsFloatingArray(shape)) shape.set_element_type(type_of(0));
    return shape;
  }
  for (std::size_t i = 0; i < shape.tuple_shapes().size(); ++i) {
    Shape& part = shape.mutable_tuple_shapes()[i];
    if (IsFloatingArray(part)) part.set_element_type(type_of(i));
  }
  return shape;
}

// Returns the floating type of the parameters of the fold that an instruction applies to its operands; nothing if it
// applies none, or one of several types.
std::optional<PrimitiveType> TypeOfReducer(const HloInstruction& instruction) {
  const auto called = instruction.CalledComputations();
  if (called.size() != 1 || instruction.op->role != OpRole::kOrdinary) return std::nullopt;
  std::optional<PrimitiveType> type;
  for (const HloInstruction* parameter : called[0]->Parameters()) {
    const bool is_number = parameter != nullptr && parameter->shape.IsScalar() && IsFloatingArray(parameter->shape);
    if (!is_number || (type && *type != parameter->shape.element_type())) return std::nullopt;
    type = parameter->shape.element_type();
  }
  return type;
}

// Returns the one type for the floating operands of an instruction; nothing if they need no other type.
std::optional<PrimitiveType> TypeOfOperands(const HloInstruction& instruction) {
  if (const auto type = TypeOfReducer(instruction)) return type;
  std::optional<PrimitiveType> widest;
  if (instruction.op->legality.allows_mixed_precision) return widest;
  for (const HloInstruction* operand : instruction.operands) {
    if (!IsFloatingArray(operand->shape)) continue;
    const PrimitiveType type = operand->shape.element_type();
    widest = widest ? HigherPrecisionType(*widest, type) : type;
  }
  return widest;
}

// Returns the shape that the op gives to the result; nothing unless it differs from the declared one in floating types
// only. The rule of some ops reads the declared type: then the operands' own is tried.
std::optional<Shape> ShapeBeforeConversion(HloInstruction& instruction) {
  const Shape declared = instruction.shape;
  const auto operand_type = [&](std::size_t i) {
    const auto& operands = instruction.operands;
    const auto is_floating = [](const HloInstruction* operand) { return IsFloatingArray(operand->shape); };
    if (i < operands.size() && is_floating(operands[i])) return operands[i]->shape.element_type();
    const auto first = std::ranges::find_if(operands, is_floating);
    return first == operands.end() ? PrimitiveType::F32 : (*first)->shape.element_type();
  };
  for (const Shape& tried : {declared, WithTypes(declared, operand_type)}) {
    instruction.shape = tried;
    const Result<Shape> inferred = instruction.op->legality.infer(instruction);
    instruction.shape = declared;
    if (!inferred || inferred->IsTuple() != declared.IsTuple()) continue;
    const auto inferred_type = [&](std::size_t i) {
      const bool has_part = !inferred->IsTuple() || i < inferred->tuple_shapes().size();
      const Shape& part = inferred->IsTuple() && has_part ? inferred->tuple_shapes()[i] : *inferred;
      return IsFloatingArray(part) ? part.element_type() : PrimitiveType::F32;
    };
    Shape shape = WithTypes(declared, inferred_type);
    if (ShapeUtil::Compatible(shape, *inferred)) return shape;
  }
  return std::nullopt;
}

class PrecisionConverter {
 public:
  explicit PrecisionConverter(HloComputation& computation) : computation_(computation) {}

  std::int64_t Run() {
    auto before = std::exchange(computation_.instructions, {});
    for (std::unique_ptr<HloInstruction>& instruction : before) {
      for (HloInstruction*& operand : instruction->operands) operand = Now(operand);
      for (HloInstruction*& predecessor : instruction->control_predecessors) predecessor = Now(predecessor);
      const bool is_legal = IsLegal(*instruction);
      if (!is_legal) ConvertOperands(*instruction);
      HloInstruction& added = computation_.Add(std::move(instruction));
      if (!is_legal) ConvertResult(added);
    }
    computation_.root = Now(computation_.root);
    return count_;
  }

 private:
  HloInstruction* Now(HloInstruction* instruction) const {
    const auto found = now_.find(instruction);
    return found == now_.end() ? instruction : found->second;
  }

  static bool IsLegal(const HloInstruction& instruction) {
    const auto role = instruction.op->role;
    if (role == OpRole::kParameter || role == OpRole::kConstant || instruction.op->legality.infer == nullptr)
      return true;
    const auto type = TypeOfOperands(instruction);
    const bool is_mixed = std::ranges::any_of(instruction.operands, [&](const HloInstruction* operand) {
      return type && IsFloatingArray(operand->shape) && operand->shape.element_type() != *type;
    });
    if (is_mixed && !instruction.op->legality.allows_mixed_precision) return false;
    const Result<Shape> inferred = instruction.op->legality.infer(instruction);
    return inferred && ShapeUtil::Compatible(*inferred, instruction.shape);
  }

  HloInstruction& Add(OpRole role, std::string_view name, const HloInstruction& origin, Shape shape,
                      std::vector<HloInstruction*> operands) {
    auto added = std::make_unique<HloInstruction>();
    added->op = role == OpRole::kOrdinary ? FindOp(name) : OpWithRole(role);
    added->name = fmt::format("{}.{}", origin.name, name);
    added->shape = std::move(shape);
    added->operands = std::move(operands);
    added->location = origin.location;
    return computation_.Add(std::move(added));
  }

  HloInstruction& Convert(HloInstruction& value, PrimitiveType type) {
    ++count_;
    return Add(OpRole::kOrdinary, "convert", value, ShapeUtil::ChangeElementType(value.shape, type), {&value});
  }

  void ConvertOperands(HloInstruction& instruction) {
    const auto type = TypeOfOperands(instruction);
    for (HloInstruction*& operand : instruction.operands) {
      if (type && IsFloatingArray(operand->shape) && operand->shape.element_type() != *type)
        operand = &Convert(*operand, *type);
    }
  }

  void ConvertResult(HloInstruction& instruction) {
    const Shape declared = instruction.shape;
    const auto given = ShapeBeforeConversion(instruction);
    if (!given || ShapeUtil::Compatible(*given, declared)) return;
    instruction.shape = *given;
    if (!declared.IsTuple()) {
      now_[&instruction] = &Convert(instruction, declared.element_type());
      return;
    }
    std::vector<HloInstruction*> parts;
    for (std::size_t i = 0; i < declared.tuple_shapes().size(); ++i) {
      HloInstruction* part =
          &Add(OpRole::kGetTupleElement, "element", instruction, given->tuple_shapes()[i], {&instruction});
      part->Set("index", static_cast<std::int64_t>(i));
      const PrimitiveType type = declared.tuple_shapes()[i].element_type();
      parts.push_back(part->shape.element_type() == type ? part : &Convert(*part, type));
    }
    now_[&instruction] = &Add(OpRole::kTuple, "converted", instruction, declared, std::move(parts));
  }

  HloComputation& computation_;
  std::unordered_map<HloInstruction*, HloInstruction*> now_;  // the conversions of results
  std::int64_t count_ = 0;
};

}  // namespace

std::int64_t ConvertMixedPrecision(HloModule& module) {
  std::int64_t count = 0;
  for (const auto& computation : module.computations) count += PrecisionConverter(*computation).Run();
  if (count > 0) MakeNamesUnique(module);
  return count;
}

}  // namespace assay
