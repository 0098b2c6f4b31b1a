#include "backends/mutant/operators/rewrite.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/evaluator/frame.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

struct Bodies {
  std::mutex mutex;
  std::deque<Inserted> kept;
};
Bodies& AllBodies() {
  static Bodies bodies;
  return bodies;
}

const Inserted& InsertedOf(const HloInstruction& instruction) {
  Bodies& bodies = AllBodies();
  const std::lock_guard lock(bodies.mutex);
  return bodies.kept[instruction.Int64("index")];
}

Result<Shape> WrittenShape(const HloInstruction& instruction) { return instruction.shape; }

Kernel KernelOf(const HloInstruction& instruction) {
  const Inserted& body = InsertedOf(instruction);
  if (!body.block || !instruction.shape.IsArray()) return {};
  return [&](std::span<const std::byte* const> operands, std::byte* result, std::int64_t n) {
    body.block(instruction, operands, result, n);
  };
}

Literal EvaluateBody(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  return InsertedOf(instruction).whole(instruction, operands);
}

// Returns the record of inserted instructions, which is not in the op table.
const Op& InsertedOp() {
  static const Op op = {
      .name = "inserted",
      .meaning = "What a mutation operator has put in.",
      .syntax = {.attributes = {{.name = "index", .kind = AttributeKind::kInt64, .required = true}}},
      .legality = {.arity = AtLeast(1), .types = kAny, .allows_mixed_precision = true, .infer = WrittenShape},
      .evaluation = {.kernel = KernelOf, .evaluate = EvaluateBody, .sees_run_time_sizes = true},
  };
  return op;
}

void MapArrays(const ElementMap& map, Literal& value) {
  for (Literal& element : value.mutable_elements()) MapArrays(map, element);
  if (!value.shape().IsArray() || value.element_count() == 0) return;
  const PrimitiveType type = value.element_type();
  map(ComplexComponentType(type), value.mutable_data(), ComponentCount(type) * value.element_count());
}

// Returns the overlap of the array and the result's shape, or the first bytes if the ranks differ. The rest is zero.
Literal Fitted(const HloInstruction& instruction, std::span<Literal> operands) {
  const Literal& from = operands[0];
  Literal to(instruction.shape);
  const std::int64_t bytes = StorageBytes(to.element_type());
  std::byte* out = to.mutable_data();
  if (from.shape().rank() != to.shape().rank()) {
    std::memcpy(out, from.data(), std::min(from.byte_size(), to.byte_size()));
    return to;
  }
  const auto strides = RowMajorStrides(to.shape().dimensions());
  for (std::int64_t i = 0; i < from.element_count(); ++i) {
    std::int64_t rest = i, offset = 0;
    bool is_inside = true;
    for (std::int64_t d = from.shape().rank() - 1; d >= 0; --d) {
      const std::int64_t index = rest % from.shape().dimensions(d);
      rest /= from.shape().dimensions(d);
      is_inside &= index < to.shape().dimensions(d);
      offset += index * strides[d];
    }
    if (is_inside) std::memcpy(out + offset * bytes, from.data() + i * bytes, bytes);
  }
  return to;
}

Literal Converted(const Literal& value, const Shape& shape) {
  if (shape.IsTuple()) {
    std::vector<Literal> elements;
    for (std::size_t i = 0; i < value.elements().size(); ++i) {
      elements.push_back(Converted(value.elements()[i], shape.tuple_shapes(static_cast<std::int64_t>(i))));
    }
    return Literal::MakeTuple(std::move(elements));
  }
  if (!shape.IsArray() || value.element_type() == shape.element_type()) return value;
  HloInstruction operand, convert;
  convert.op = FindOp("convert");
  operand.shape = ShapeUtil::ChangeElementType(shape, value.element_type());
  convert.shape = shape;
  convert.operands = {&operand};
  return RunKernel(convert, WithKernel(*convert.op).evaluation.kernel(convert), {&value, 1});
}

void RedirectCalls(HloInstruction& copy, const HloInstruction& caller, const TypeMap& types,
                   std::map<const HloComputation*, HloComputation*>& copies);

HloComputation& Copy(const HloComputation& computation, const HloInstruction& caller, const TypeMap& types,
                     std::map<const HloComputation*, HloComputation*>& copies) {
  if (const auto known = copies.find(&computation); known != copies.end()) return *known->second;
  HloModule& module = *caller.parent->module;
  auto copy = std::make_unique<HloComputation>();
  copy->name = fmt::format("{}.mutant{}", computation.name, module.computations.size());
  copy->module = &module;
  copy->execution_thread = computation.execution_thread;
  std::map<const HloInstruction*, HloInstruction*> made;
  for (const auto& instruction : computation.instructions) {
    auto inner = std::make_unique<HloInstruction>(*instruction);
    inner->name = fmt::format("{}.{}", instruction->name, copy->name);
    inner->shape = WithTypes(inner->shape, types);
    if (inner->literal) inner->literal = Converted(*inner->literal, inner->shape);
    RedirectCalls(*inner, caller, types, copies);
    inner->control_predecessors.clear();
    for (HloInstruction*& operand : inner->operands) operand = made.at(operand);
    made[instruction.get()] = &copy->Add(std::move(inner));
  }
  copy->root = made.at(computation.root);
  HloComputation& added = *copy;
  copies[&computation] = &added;
  const auto place = std::ranges::find(module.computations, caller.parent, &std::unique_ptr<HloComputation>::get);
  module.computations.insert(place, std::move(copy));
  return added;
}

void RedirectCalls(HloInstruction& copy, const HloInstruction& caller, const TypeMap& types,
                   std::map<const HloComputation*, HloComputation*>& copies) {
  for (Attribute& attribute : copy.attributes) {
    if (auto** one = std::get_if<HloComputation*>(&attribute.value)) *one = &Copy(**one, caller, types, copies);
    if (auto* many = std::get_if<std::vector<HloComputation*>>(&attribute.value)) {
      for (HloComputation*& computation : *many) computation = &Copy(*computation, caller, types, copies);
    }
  }
}

HloInstruction InstructionOf(InsertedBody body, const Shape& shape, std::vector<HloInstruction*> operands) {
  HloInstruction instruction;
  instruction.op = &InsertedOp();
  instruction.shape = shape;
  instruction.operands = std::move(operands);
  instruction.Set("index", static_cast<std::int64_t>(body));
  return instruction;
}

// Infers the shape of the changed instruction. If the module declares the shape of its op and the present one is
// illegal, tries the operand's shape with one dimension up to 16 times as long or as short.
Result<Shape> ShapeDeclaredAnew(HloInstruction& changed) {
  constexpr std::int64_t kMostTimes = 16;
  const Result<Shape> shape = ShapeOf(changed);
  if (shape || changed.op->syntax.shape_is_inferable || changed.operands.size() != 1) return shape;
  if (!changed.shape.IsArray() || !changed.operand(0).shape.IsArray()) return shape;
  const Shape operand = changed.operand(0).shape;
  for (std::int64_t d = 0; d < operand.rank(); ++d) {
    const std::int64_t size = operand.dimensions(d);
    for (std::int64_t times = 1; times <= kMostTimes; ++times) {
      for (const std::int64_t other : {size * times, size % times == 0 ? size / times : size}) {
        Dimensions sizes = operand.dimensions();
        sizes[d] = other;
        changed.shape = ShapeUtil::MakeShape(operand.element_type(), sizes);
        if (const Result<Shape> declared = ShapeOf(changed)) return declared;
      }
    }
  }
  return shape;
}

}  // namespace

InsertedBody Keep(Inserted inserted) {
  Bodies& bodies = AllBodies();
  const std::lock_guard lock(bodies.mutex);
  bodies.kept.push_back(std::move(inserted));
  return static_cast<InsertedBody>(bodies.kept.size() - 1);
}

InsertedBody Mapping(ElementMap map) {
  return Keep({
      .block =
          [map](const HloInstruction& instruction, std::span<const std::byte* const> operands, std::byte* result,
                std::int64_t n) {
            const PrimitiveType type = instruction.shape.element_type();
            std::memcpy(result, operands[0], n * StorageBytes(type));
            map(ComplexComponentType(type), result, ComponentCount(type) * n);
          },
      .whole =
          [map](const HloInstruction&, std::span<Literal> operands) {
            MapArrays(map, operands[0]);
            return std::move(operands[0]);
          },
  });
}

void ChangeArrays(const std::function<void(Literal&)>& change, Literal& value) {
  for (Literal& element : value.mutable_elements()) ChangeArrays(change, element);
  if (value.shape().IsArray()) change(value);
}

InsertedBody ArrayChange(std::function<void(Literal&)> change) {
  return Keep({.block = {}, .whole = [change = std::move(change)](const HloInstruction&, std::span<Literal> operands) {
                 ChangeArrays(change, operands[0]);
                 return std::move(operands[0]);
               }});
}

InsertedBody Conversion() {
  static const InsertedBody body =
      Keep({.block = {}, .whole = [](const HloInstruction& i, std::span<Literal> operands) {
              return Converted(operands[0], i.shape);
            }});
  return body;
}

HloInstruction& AddBefore(HloInstruction& next, const HloInstruction& instruction) {
  auto& all = next.parent->instructions;
  auto added = std::make_unique<HloInstruction>(instruction);
  added->name = fmt::format("{}.mutant{}", next.name, all.size());
  added->parent = next.parent;
  added->location = next.location;
  added->control_predecessors.clear();
  const auto place = std::ranges::find(all, &next, &std::unique_ptr<HloInstruction>::get);
  return **all.insert(place, std::move(added));
}

HloInstruction& InsertBefore(HloInstruction& next, InsertedBody body, const Shape& shape,
                             std::vector<HloInstruction*> operands) {
  return AddBefore(next, InstructionOf(body, shape, std::move(operands)));
}

HloInstruction& Wrap(HloInstruction& instruction, InsertedBody body) {
  HloInstruction& inner = AddBefore(instruction, instruction);
  inner.control_predecessors = instruction.control_predecessors;
  HloInstruction outer = InstructionOf(body, instruction.shape, {&inner});
  instruction.op = outer.op;
  instruction.operands = outer.operands;
  instruction.attributes = outer.attributes;
  instruction.literal.reset();
  instruction.result_accuracy.reset();
  instruction.annotations.clear();
  return inner;
}

Result<Shape> ShapeOf(const HloInstruction& instruction) {
  const Shape& first = instruction.operands.empty() ? instruction.shape : instruction.operand(0).shape;
  if (!instruction.op->legality.types.contains(first.element_type())) return Error{ErrorCode::kIllegal, "the type"};
  ASSAY_TRY(Shape shape, instruction.op->legality.infer(instruction));
  if (instruction.op->evaluation.check_evaluated != nullptr) {
    ASSAY_CHECK_OK(instruction.op->evaluation.check_evaluated(instruction));
  }
  ASSAY_CHECK_OK(ShapeUtil::ValidateShape(shape));
  return shape;
}

bool EditInstruction(HloInstruction& instruction, const std::function<bool(HloInstruction&)>& edit) {
  static const InsertedBody fit = Keep({.block = {}, .whole = Fitted});
  HloInstruction changed = instruction;
  if (!edit(changed)) return false;
  const Result<Shape> shape = ShapeDeclaredAnew(changed);
  if (!shape) return false;
  if (!ShapeUtil::Compatible(*shape, instruction.shape)) {
    if (!shape->IsArray() || shape->element_type() != instruction.shape.element_type()) return false;
    if (shape->IsDynamic() || instruction.shape.IsDynamic() || ShapeUtil::ElementsIn(*shape) > 1 << 24) return false;
    HloInstruction& inner = Wrap(instruction, fit);
    inner.shape = *shape;
    inner.operands = changed.operands;
    inner.attributes = changed.attributes;
    return true;
  }
  instruction.operands = changed.operands;
  instruction.attributes = changed.attributes;
  return true;
}

Shape WithTypes(Shape shape, const TypeMap& types) {
  if (!types) return shape;
  if (shape.IsArray()) shape.set_element_type(types(shape.element_type()));
  if (shape.IsTuple()) {
    for (Shape& element : shape.mutable_tuple_shapes()) element = WithTypes(element, types);
  }
  return shape;
}

bool EvaluateInTypes(HloInstruction& instruction, const TypeMap& types, InsertedBody back) {
  // Checks the changed instruction on copies of its operands before adding anything.
  std::deque<HloInstruction> operands;
  HloInstruction changed = instruction;
  changed.shape = WithTypes(changed.shape, types);
  bool differs = !ShapeUtil::Compatible(changed.shape, instruction.shape);
  for (HloInstruction*& operand : changed.operands) {
    operands.push_back(*operand);
    operands.back().shape = WithTypes(operand->shape, types);
    differs |= !ShapeUtil::Compatible(operands.back().shape, operand->shape);
    operand = &operands.back();
  }
  if (!differs) return false;
  const bool calls = !instruction.CalledComputations().empty();
  if (!calls) {
    const Result<Shape> shape = ShapeOf(changed);
    if (!shape || !ShapeUtil::Compatible(*shape, changed.shape)) return false;
  }
  HloInstruction& inner = Wrap(instruction, back);
  inner.shape = changed.shape;
  for (std::size_t i = 0; i < inner.operands.size(); ++i) {
    if (ShapeUtil::Compatible(operands[i].shape, inner.operands[i]->shape)) continue;
    inner.operands[i] = &InsertBefore(inner, Conversion(), operands[i].shape, {inner.operands[i]});
  }
  if (calls) {
    std::map<const HloComputation*, HloComputation*> copies;
    RedirectCalls(inner, inner, types, copies);
  }
  return true;
}

HloComputation& CopyComputation(const HloComputation& computation, const HloInstruction& caller, const TypeMap& types) {
  std::map<const HloComputation*, HloComputation*> copies;
  return Copy(computation, caller, types, copies);
}

bool Computes(const Op& op) { return op.evaluation.kernel != nullptr || AcceptanceOf(op).rule != Acceptance::kExact; }

bool HasTypeOf(const Shape& shape, TypeSet types) {
  if (shape.IsArray()) return types.contains(shape.element_type());
  return std::ranges::any_of(shape.tuple_shapes(), [&](const Shape& element) { return HasTypeOf(element, types); });
}

bool WrapResult(TypeSet types, InsertedBody body, HloInstruction& instruction) {
  if (!HasTypeOf(instruction.shape, types)) return false;
  Wrap(instruction, body);
  return true;
}

bool WrapOperands(TypeSet types, InsertedBody body, HloInstruction& instruction) {
  bool has_changed = false;
  for (HloInstruction*& operand : instruction.operands) {
    if (!HasTypeOf(operand->shape, types)) continue;
    operand = &InsertBefore(instruction, body, operand->shape, {operand});
    has_changed = true;
  }
  return has_changed;
}

}  // namespace assay
