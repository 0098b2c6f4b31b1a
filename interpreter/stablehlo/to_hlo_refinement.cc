#include "interpreter/stablehlo/to_hlo_refinement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "interpreter/hlo/op.h"
#include "interpreter/stablehlo/print.h"
#include "interpreter/stablehlo/programs.h"
#include "interpreter/stablehlo/to_hlo.h"
#include "interpreter/stablehlo/to_hlo_attributes.h"

namespace assay::stablehlo {
namespace {

// Sizes are computed from arrays with an element for each dimension, or for each pair of dimensions.
constexpr std::int64_t kMostKnownElements = 4096;

bool MayBeKnown(const Shape& shape) {
  return shape.IsFixedArray() && (IsIntegralType(shape.element_type()) || shape.element_type() == PRED) &&
         ShapeUtil::ElementsIn(shape) <= kMostKnownElements;
}

// Refuses what the values of operands alone do not determine.
class OperandsOnly final : public Evaluation {
 public:
  Literal Call(const HloComputation&, std::vector<Literal>) override { Refuse(); }
  std::unique_ptr<ScalarFunction> Scalar(const HloComputation&) override { Refuse(); }
  Device& device() override { Refuse(); }

 private:
  [[noreturn]] static void Refuse() { throw EvaluationError{{ErrorCode::kUnsupported, "the value is not known"}}; }
};

Literal RunKernel(const Kernel& kernel, const HloInstruction& instruction, std::span<const Literal> operands) {
  Literal result = Literal::Uninitialized(instruction.shape);
  std::vector<const std::byte*> data;
  for (const Literal& operand : operands) data.push_back(operand.data());
  if (result.element_count() != 0) kernel(data, result.mutable_data(), result.element_count());
  return result;
}

std::optional<Literal> Evaluate(const HloInstruction& instruction, std::vector<Literal> operands) {
  const OpEvaluation& evaluation = instruction.op->evaluation;
  const auto has_all_elements = [&](const Literal& operand) {
    return operand.element_count() == ShapeUtil::ElementsIn(instruction.shape);
  };
  if (evaluation.kernel != nullptr && std::ranges::all_of(operands, has_all_elements)) {
    if (const Kernel kernel = evaluation.kernel(instruction)) return RunKernel(kernel, instruction, operands);
  }
  if (evaluation.evaluate == nullptr) return std::nullopt;
  OperandsOnly nothing_else;
  try {
    return evaluation.evaluate(instruction, operands, nothing_else);
  } catch (const EvaluationError&) {
    return std::nullopt;
  }
}

// Returns the instruction whose value is an element of a tuple: the tuple may be the result of a call. Null: unknown.
const HloInstruction* ElementOf(const HloInstruction& tuple, std::int64_t index) {
  switch (tuple.op->role) {
    case OpRole::kTuple:
      return tuple.operands[index];
    case OpRole::kCall:
      return ElementOf(*tuple.CalledComputations().front()->root, index);
    default:
      return tuple.op->name == "opt-barrier" ? ElementOf(tuple.operand(0), index) : nullptr;
  }
}

// Returns an instruction that has the same value. Null: there is none.
const HloInstruction* SourceOf(const HloInstruction& instruction) {
  if (instruction.op->role == OpRole::kCall) return instruction.CalledComputations().front()->root;
  if (instruction.op->role == OpRole::kGetTupleElement)
    return ElementOf(instruction.operand(0), instruction.tuple_index());
  return instruction.op->name == "opt-barrier" ? instruction.operands[0] : nullptr;
}

// True if the rules of the op may be applied: they rely on valid shapes of operands, and on their number.
bool IsCheckable(const HloInstruction& instruction) {
  const OpLegality& legality = instruction.op->legality;
  const auto count = std::ssize(instruction.operands);
  const bool has_count =
      count >= legality.arity.min && (legality.arity.max == Arity::kVariadic || count <= legality.arity.max);
  const auto is_valid = [](const HloInstruction* operand) { return bool(ShapeUtil::ValidateShape(operand->shape)); };
  return legality.infer != nullptr && has_count && std::ranges::all_of(instruction.operands, is_valid) &&
         (instruction.operands.empty() || legality.types.contains(instruction.operand(0).shape.element_type()));
}

bool Refines(const Shape& declared, const Shape& shape) {
  if (declared.IsTuple() && shape.IsTuple()) {
    return std::ranges::equal(declared.tuple_shapes(), shape.tuple_shapes(), Refines);
  }
  if (!declared.IsArray() || !shape.IsArray()) return declared.element_type() == shape.element_type();
  const auto fits = [](std::int64_t size, std::int64_t found) {
    return size == Shape::kUnboundedSize || size == found;
  };
  return declared.element_type() == shape.element_type() &&
         std::ranges::equal(declared.dimensions(), shape.dimensions(), fits);
}

bool HasUnknownSize(const Type& type) {
  const auto* tensor = std::get_if<TensorType>(&type.value);
  if (tensor == nullptr) {
    const auto* tuple = std::get_if<TupleType>(&type.value);
    return tuple != nullptr && std::ranges::any_of(tuple->elements, HasUnknownSize);
  }
  for (std::size_t d = 0; d < tensor->dimensions.size(); ++d) {
    const bool has_bound = d < tensor->bounds.size() && tensor->bounds[d] != kDynamicSize;
    if (tensor->dimensions[d] == kDynamicSize && !has_bound) return true;
  }
  return false;
}

bool HasUnknownSizes(const std::vector<Value>& values) {
  return std::ranges::any_of(values, HasUnknownSize, &Value::type);
}

}  // namespace

const Literal* KnownValues::Find(const HloInstruction& instruction) const {
  const auto found = values_.find(&instruction);
  return found == values_.end() ? nullptr : &found->second;
}

void KnownValues::Set(const HloInstruction& instruction, Literal value) {
  values_.insert_or_assign(&instruction, std::move(value));
}

void KnownValues::Learn(const HloInstruction& instruction) {
  const Op& op = *instruction.op;
  if (!MayBeKnown(instruction.shape) || instruction.literal_is_elided) return;
  if (instruction.literal) return Set(instruction, *instruction.literal);
  if (const HloInstruction* source = SourceOf(instruction)) {
    if (const Literal* value = Find(*source)) Set(instruction, Literal(*value));
    return;
  }
  const bool depends_on_more = op.evaluation.depends_on_device || op.evaluation.has_side_effect ||
                               !op.evaluation.side_effect_flag.text().empty() || op.RoleSaysAll();
  if (depends_on_more || !IsCheckable(instruction) || !op.legality.infer(instruction)) return;
  std::vector<Literal> operands;
  for (const HloInstruction* operand : instruction.operands) {
    const Literal* value = Find(*operand);
    if (value == nullptr) return;
    operands.push_back(*value);
  }
  if (std::optional<Literal> value = Evaluate(instruction, std::move(operands))) Set(instruction, *std::move(value));
}

Status InferShape(const Operation& operation, HloInstruction& instruction) {
  const Shape declared = instruction.shape;
  const bool has_rule = instruction.op->role != OpRole::kParameter && instruction.op->role != OpRole::kConstant &&
                        instruction.op->name != "custom-call" && IsCheckable(instruction);
  if (has_rule) {
    Result<Shape> inferred = instruction.op->legality.infer(instruction);
    if (!inferred) return IllegalAt(operation, inferred.error().message);
    const bool is_converted = inferred->IsArray() && declared.IsArray();
    instruction.shape =
        is_converted ? ShapeUtil::ChangeElementType(*inferred, declared.element_type()) : *std::move(inferred);
  }
  if (!instruction.shape.IsUnboundedDynamic()) return {};
  return UnsupportedAt(operation, fmt::format("the sizes of its result cannot be inferred, found {}",
                                              instruction.shape.ToStringWithoutLayout()));
}

Status CheckRefines(const Operation& operation, std::string_view what, const Type& declared, const Shape& shape) {
  ASSAY_TRY(const Shape expected, ShapeOf(operation, declared));
  if (Refines(expected, shape)) return {};
  return IllegalAt(operation,
                   fmt::format("{} must be a {}, found {}", what, ToText(declared), shape.ToStringWithoutLayout()));
}

bool IsUnbounded(const Program& program) {
  std::vector<const Region*> regions;
  for (const Region& region : program.module.regions) regions.push_back(&region);
  while (!regions.empty()) {
    const Region& region = *regions.back();
    regions.pop_back();
    for (const Block& block : region.blocks) {
      if (HasUnknownSizes(block.arguments)) return true;
      for (const Operation& operation : block.operations) {
        if (HasUnknownSizes(operation.results)) return true;
        for (const Region& inner : operation.regions) regions.push_back(&inner);
      }
    }
  }
  return false;
}

Result<std::vector<Shape>> EntryShapes(const Program& program, std::string_view function) {
  ASSAY_TRY(const std::string name, EntryName(program, function));
  std::vector<Shape> shapes;
  for (const Operation& operation : OperationsOf(program)) {
    const bool is_entry = operation.name == "func.func" && StringOf(operation, "sym_name") == name;
    if (!is_entry || operation.regions.empty() || operation.regions[0].blocks.empty()) continue;
    for (const Value& argument : operation.regions[0].blocks[0].arguments) {
      ASSAY_TRY(shapes.emplace_back(), ShapeOf(operation, argument.type));
    }
    break;
  }
  return shapes;
}

}  // namespace assay::stablehlo
