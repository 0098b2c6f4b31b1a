// The steps of a loop: its computations with their calls and fusions inlined, and each value as the arrays in it.
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "interpreter/kernels/kernels.h"
#include "interpreter/kernels/loops/loop_program.h"
#include "interpreter/kernels/loops/movements.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// Calls that double at each level would make the list exponentially long.
constexpr int kMostInstructions = 10000;

// An array, or a tuple of values.
struct Value {
  ArrayId id = -1;
  std::vector<Value> elements = {};
};

using Values = std::unordered_map<const HloInstruction*, Value>;

void AppendArrays(const Value& value, std::vector<ArrayId>& arrays) {
  if (value.id >= 0) arrays.push_back(value.id);
  for (const Value& element : value.elements) AppendArrays(element, arrays);
}

std::vector<ArrayId> ArraysOf(const Value& value) {
  std::vector<ArrayId> arrays;
  AppendArrays(value, arrays);
  return arrays;
}

// Replaces the arrays of a value, in order, by those from `next` on.
void ReplaceArrays(Value& value, std::vector<ArrayId>::const_iterator& next) {
  if (value.id >= 0) value.id = *next++;
  for (Value& element : value.elements) ReplaceArrays(element, next);
}

bool IsAsynchronous(const Op& op) {
  return op.role == OpRole::kAsyncStart || op.role == OpRole::kAsyncUpdate || op.role == OpRole::kAsyncDone ||
         !op.legality.done.empty();
}

// Returns the instructions that the root needs.
std::vector<const HloInstruction*> LiveInstructions(const HloComputation& computation) {
  std::unordered_map<const HloInstruction*, bool> is_live = {{computation.root, true}};
  std::vector<const HloInstruction*> live;
  for (std::size_t i = computation.instructions.size(); i-- > 0;) {
    const HloInstruction* const instruction = computation.instructions[i].get();
    if (!is_live[instruction]) continue;
    live.push_back(instruction);
    for (const HloInstruction* operand : instruction->operands) is_live[operand] = true;
  }
  std::ranges::reverse(live);
  return live;
}

// A step that can run before the loop does if its operands do not change.
bool IsMovable(const ReplayStep& step) { return step.loop != nullptr || step.kernel != nullptr; }

class Flattener {
 public:
  Flattener(LoopProgram& program, const LoopBodies& bodies) : program_(program), bodies_(bodies) {}

  // The functions below return nothing, or false, if the program cannot have the instruction.
  bool Flatten(const HloInstruction& loop, LoopBlock& block) {
    // An instruction with an effect runs even if the root does not need it.
    if (HasEffects(loop)) return false;
    const std::optional<Value> state = NewValue(loop.shape);
    if (!state) return false;
    if (bodies_.turns != nullptr) block.code = bodies_.turns();
    block.state = ArraysOf(*state);
    const auto holds = Append(loop.Computation("condition"), {*state}, block.condition);
    if (!holds) return false;
    block.holds = holds->id;
    const auto next = Append(loop.Computation("body"), {*state}, block.body);
    if (!next) return false;
    block.next = ArraysOf(*next);  // legal bodies return the shape of the state
    MoveToEntry(block);
    return true;
  }

 private:
  LoopArray& ArrayAt(ArrayId id) { return program_.arrays[id]; }

  ArrayId NewArray(PrimitiveType type, std::int64_t count) {
    program_.arrays.push_back({.type = type, .count = count});
    return static_cast<ArrayId>(program_.arrays.size()) - 1;
  }

  std::optional<Value> NewValue(const Shape& shape) {
    Value value;
    if (shape.IsTuple()) {
      for (const Shape& part : shape.tuple_shapes()) {
        const std::optional<Value> element = NewValue(part);
        if (!element) return std::nullopt;
        value.elements.push_back(*element);
      }
      return value;
    }
    const bool fits = shape.IsFixedArray() && ShapeUtil::ElementsIn(shape) > 0;
    if (!fits) return std::nullopt;
    value.id = NewArray(shape.element_type(), ShapeUtil::ElementsIn(shape));
    return value;
  }

  // True if the arrays of the value have the types and sizes of the shape.
  bool Fits(const Value& value, const Shape& shape) {
    if (shape.IsTuple()) {
      return std::ranges::equal(value.elements, shape.tuple_shapes(),
                                [&](const Value& element, const Shape& part) { return Fits(element, part); });
    }
    return value.id >= 0 && shape.IsFixedArray() && ArrayAt(value.id).type == shape.element_type() &&
           ArrayAt(value.id).count == ShapeUtil::ElementsIn(shape);
  }

  std::optional<Value> Append(const HloComputation& computation, const std::vector<Value>& arguments,
                              std::vector<ReplayStep>& steps) {
    Values values;
    for (const HloInstruction* instruction : LiveInstructions(computation)) {
      if (++instructions_ > kMostInstructions) return std::nullopt;
      std::vector<Value> operands;
      for (const HloInstruction* operand : instruction->operands) operands.push_back(values.at(operand));
      std::optional<Value> value = instruction->op->role == OpRole::kParameter
                                       ? arguments[instruction->parameter_number]
                                       : AppendOne(*instruction, operands, steps);
      if (!value || !Fits(*value, instruction->shape)) return std::nullopt;
      values[instruction] = *std::move(value);
    }
    return values.at(computation.root);
  }

  std::optional<Value> AppendOne(const HloInstruction& instruction, const std::vector<Value>& operands,
                                 std::vector<ReplayStep>& steps) {
    const Op* const op = instruction.op;
    if (op->role == OpRole::kConstant) return ConstantOf(instruction);
    if (op->role == OpRole::kTuple) return Value{.elements = operands};
    if (op->role == OpRole::kGetTupleElement) return operands[0].elements.at(instruction.tuple_index());
    if (op->role == OpRole::kCall || op == &op_fusion) {
      return Append(*instruction.CalledComputations().front(), operands, steps);
    }
    if (IsAlias(instruction)) return operands[0];
    if (op == &op_while) return AppendLoop(instruction, operands[0], steps);
    if (!instruction.shape.IsFixedArray()) return AppendCall(instruction, operands, steps);
    if (IsElementWise(instruction)) return AppendElementWise(instruction, operands, steps);
    if (op == &op_broadcast && ArrayAt(operands[0].id).count == 1) {
      return AppendRepeat(instruction.shape, operands[0], steps);
    }
    Kernel kernel = WholeKernel(instruction);
    if (kernel == nullptr) return AppendCall(instruction, operands, steps);
    ReplayStep step{.kernel = std::move(kernel), .name = op->name, .instruction = &instruction};
    if (UpdatesInPlace(instruction)) {
      step.overwrites = Overwrites::kFirstOperand;
      step.count = ArrayAt(operands[1].id).count;
    }
    return AppendStep(instruction.shape, std::move(step), operands, steps);
  }

  bool HasOwnBody(const HloInstruction& instruction) const { return bodies_.overrides.contains(instruction.op); }

  // True if the result is the operand's array.
  bool IsAlias(const HloInstruction& instruction) const {
    const Op* const op = instruction.op;
    return (op == &op_copy || op == &op_reshape || op == &op_opt_barrier) && !HasOwnBody(instruction);
  }

  const Op& Running(const HloInstruction& instruction) const { return RunningOp(instruction, bodies_.overrides); }

  Kernel KernelOf(const HloInstruction& instruction) const {
    const Op& op = Running(instruction);
    return op.evaluation.kernel == nullptr ? Kernel() : op.evaluation.kernel(instruction);
  }

  bool IsElementWise(const HloInstruction& instruction) const {
    return MayBeElementWise(instruction) && KernelOf(instruction) != nullptr;
  }

  // Returns the kernel of whole arrays; empty if there is none.
  Kernel WholeKernel(const HloInstruction& instruction) const {
    for (const auto& kernel_of : bodies_.whole) {
      if (Kernel kernel = kernel_of(instruction)) return kernel;
    }
    return HasOwnBody(instruction) ? Kernel() : MovementKernel(instruction);
  }

  std::optional<Value> ConstantOf(const HloInstruction& constant) {
    if (!constant.shape.IsArray()) return std::nullopt;
    const std::optional<Value> value = NewValue(constant.shape);
    if (value) ArrayAt(value->id).constant = &*constant.literal;
    return value;
  }

  std::optional<Value> AppendStep(const Shape& shape, ReplayStep step, const std::vector<Value>& operands,
                                  std::vector<ReplayStep>& steps) {
    const std::optional<Value> result = NewValue(shape);
    if (!result) return std::nullopt;
    for (const Value& operand : operands) AppendArrays(operand, step.operands);
    step.results = ArraysOf(*result);
    if (step.count == 0 && result->id >= 0) step.count = ArrayAt(result->id).count;
    steps.push_back(std::move(step));
    return result;
  }

  // Appends the array of the shape with a scalar in every element.
  std::optional<Value> AppendRepeat(const Shape& shape, const Value& scalar, std::vector<ReplayStep>& steps) {
    ReplayStep step{.name = kRepeatStep};
    if (bodies_.repeat != nullptr) step.loop = bodies_.repeat(StorageBytes(shape.element_type()));
    if (step.loop == nullptr) step.kernel = FillKernel(shape.element_type());
    if (step.loop != nullptr) step.count = PaddedCount(ShapeUtil::ElementsIn(shape));
    return AppendStep(shape, std::move(step), {scalar}, steps);
  }

  std::optional<Value> AppendElementWise(const HloInstruction& instruction, std::vector<Value> operands,
                                         std::vector<ReplayStep>& steps) {
    const std::int64_t count = ShapeUtil::ElementsIn(instruction.shape);
    for (Value& operand : operands) {
      if (operand.id < 0 || !ArrayAt(operand.id).IsSmall()) return std::nullopt;
      if (ArrayAt(operand.id).count == count) continue;
      const PrimitiveType type = ArrayAt(operand.id).type;
      const auto repeated = AppendRepeat(ShapeUtil::MakeShape(type, instruction.shape.dimensions()), operand, steps);
      if (!repeated) return std::nullopt;
      operand = *repeated;
    }
    ReplayStep step{.name = instruction.op->name, .instruction = &instruction};
    if (count == 1 && bodies_.scalar != nullptr) step.loop = bodies_.scalar(instruction);
    if (step.loop == nullptr) {
      step.kernel = KernelOf(instruction);
      if (const auto* const vectors = step.kernel.target<LoopKernel>()) {
        step.loop = vectors->loop;
        step.kernel = nullptr;
        step.count = PaddedCount(count);
      }
    }
    if (step.loop != nullptr) step.overwrites = Overwrites::kAnyOperand;
    return AppendStep(instruction.shape, std::move(step), operands, steps);
  }

  std::optional<Value> AppendLoop(const HloInstruction& loop, const Value& initial, std::vector<ReplayStep>& steps) {
    auto inner = std::make_shared<LoopBlock>();
    if (!Flatten(loop, *inner)) return std::nullopt;
    ReplayStep step{.inner = inner, .name = loop.op->name, .instruction = &loop, .operands = ArraysOf(initial)};
    for (std::size_t i = 0; i < step.operands.size(); ++i) {
      const LoopArray array = ArrayAt(step.operands[i]);
      step.results.push_back(inner->Keeps(i) ? step.operands[i] : NewArray(array.type, array.count));
    }
    Value result = initial;
    auto next = step.results.cbegin();
    ReplaceArrays(result, next);
    steps.push_back(std::move(step));
    return result;
  }

  // Appends an op of whole values, on literals.
  std::optional<Value> AppendCall(const HloInstruction& instruction, const std::vector<Value>& operands,
                                  std::vector<ReplayStep>& steps) {
    const Op& op = Running(instruction);
    if (op.evaluation.evaluate == nullptr) return std::nullopt;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (!Fits(operands[i], instruction.operands[i]->shape)) return std::nullopt;
    }
    const ReplayStep step{.op = &op, .name = instruction.op->name, .instruction = &instruction};
    return AppendStep(instruction.shape, step, operands, steps);
  }

  // True if the instruction, or one that it calls, needs more than its operands, does more than return its result, or
  // may return a pending value.
  bool HasEffects(const HloInstruction& instruction) {
    const OpEvaluation& evaluation = Running(instruction).evaluation;
    return IsAsynchronous(*instruction.op) || evaluation.has_side_effect || evaluation.depends_on_device ||
           (!evaluation.side_effect_flag.empty() && instruction.Bool(evaluation.side_effect_flag)) ||
           std::ranges::any_of(instruction.CalledComputations(),
                               [&](const HloComputation* called) { return HasEffects(*called); });
  }

  bool HasEffects(const HloComputation& computation) {
    const auto known = has_effects_.find(&computation);
    if (known != has_effects_.end()) return known->second;
    const bool found = std::ranges::any_of(computation.instructions,
                                           [&](const auto& instruction) { return HasEffects(*instruction); });
    return has_effects_[&computation] = found;
  }

  // Moves the steps that compute the same in each turn to the loop's entry.
  void MoveToEntry(LoopBlock& block) {
    std::vector<bool> is_fixed(program_.arrays.size(), false);
    for (std::size_t id = 0; id < is_fixed.size(); ++id) is_fixed[id] = program_.arrays[id].constant != nullptr;
    for (std::size_t i = 0; i < block.state.size(); ++i) {
      if (block.Keeps(i)) is_fixed[block.state[i]] = true;
    }
    for (std::vector<ReplayStep>* steps : {&block.condition, &block.body}) {
      std::vector<ReplayStep> left;
      for (ReplayStep& step : *steps) {
        const bool moves =
            IsMovable(step) && std::ranges::all_of(step.operands, [&](ArrayId id) { return is_fixed[id]; });
        if (moves) is_fixed[step.results[0]] = true;
        (moves ? block.entry : left).push_back(std::move(step));
      }
      *steps = std::move(left);
    }
  }

  LoopProgram& program_;
  const LoopBodies& bodies_;
  int instructions_ = 0;
  std::unordered_map<const HloComputation*, bool> has_effects_;
};

}  // namespace

std::shared_ptr<const LoopProgram> MakeLoopProgram(const HloInstruction& loop, const LoopBodies& bodies) {
  auto program = std::make_shared<LoopProgram>();
  if (!Flattener(*program, bodies).Flatten(loop, program->main) || !AssignBuffers(*program)) return nullptr;
  return program;
}

}  // namespace assay
