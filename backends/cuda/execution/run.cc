#include "backends/cuda/execution/run.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "backends/cuda/execution/doubts.h"
#include "backends/cuda/execution/launch.h"
#include "backends/cuda/execution/replay.h"
#include "backends/cuda/kernels/emitter.h"
#include "backends/cuda/kernels/entry.h"
#include "interpreter/hlo/async_pairs.h"
#include "interpreter/types/limits.h"

namespace assay::cuda {
namespace {

// Builds a value of the shape from the arrays in `leaves`, in order, from `next` on.
Value Assembled(const Shape& shape, std::vector<Value>& leaves, std::size_t& next) {
  if (!shape.IsTuple()) return std::move(leaves[next++]);
  std::vector<Value> elements;
  for (const Shape& element : shape.tuple_shapes()) elements.push_back(Assembled(element, leaves, next));
  return Value::Tuple(std::move(elements));
}

}  // namespace

bool ModuleRun::IsForwarded(const HloInstruction& instruction) {
  const std::string_view op = instruction.op->name;
  if (op == "opt-barrier" || op == "copy" || op == "add-dependency") return true;
  return IsMovement(instruction) && !ChangesIndex(instruction, 0);
}

Result<Literal> ModuleRun::Evaluate(const std::vector<Literal>& arguments) {
  ASSAY_TRY(Replay* const replay, module_.ReplayOf(arguments));
  if (replay != nullptr) {
    CheckLimits();
    counts_ = replay->counts();
    return replay->Run(device_, arguments);
  }
  ASSAY_TRY(const Value root, Enqueue(module_.Arguments(arguments)));
  return root.ToHost(device_);
}

Result<Value> ModuleRun::Call(const HloComputation& computation, std::vector<Value> arguments) {
  const ComputationPlan& plan = module_.plans().Of(computation);
  std::vector<Value> slots(plan.slot_count());
  for (const PlanStep& step : plan.steps()) {
    CheckLimits();
    ASSAY_TRY(slots[step.slot], Execute(step, slots, arguments));
  }
  return std::move(slots[plan.root_slot()]);
}

Result<Value> ModuleRun::Execute(const PlanStep& step, std::vector<Value>& slots, std::vector<Value>& arguments) {
  const HloInstruction& instruction = *step.instruction;
  switch (instruction.op->role) {
    case OpRole::kParameter:
      return std::move(arguments[instruction.parameter_number]);
    case OpRole::kConstant:
      return module_.ConstantOf(instruction);
    case OpRole::kGetTupleElement: {
      const auto [slot, is_last_use] = step.operands[0];
      Value& element = slots[slot].elements()[instruction.tuple_index()];
      Value result = is_last_use ? std::move(element) : element;
      if (is_last_use) slots[slot] = Value();
      return result;
    }
    default:
      break;
  }
  std::vector<Value> operands;
  for (const PlanStep::Operand& operand : step.operands) operands.push_back(operand.TakeFrom(slots));
  // The start of a pair keeps its operands for the done, with which the host evaluates it.
  if (instruction.op->role == OpRole::kTuple || StartsPair(*instruction.op)) return Value::Tuple(std::move(operands));
  if (&StartOf(instruction) != &instruction) return EvaluateOnHost(instruction, operands[0].elements());
  if (const PlannedKernel* kernel = module_.KernelOf(instruction)) {
    return Launch(instruction, *kernel, std::move(operands));
  }
  if (IsForwarded(instruction)) return operands[0].WithShape(instruction.shape);
  if (!IsControlFlow(instruction)) return EvaluateOnHost(instruction, operands);
  if (instruction.op->name == "while") return Repeat(instruction, std::move(operands[0]));
  if (instruction.op->name == "conditional") return Choose(instruction, std::move(operands));
  return Call(*instruction.CalledComputations()[0], std::move(operands));
}

Result<Value> ModuleRun::Repeat(const HloInstruction& loop, Value state) {
  while (true) {
    std::vector<Value> arguments = {state};
    ASSAY_TRY(const Value holds, Call(loop.Computation("condition"), std::move(arguments)));
    ASSAY_TRY(const Literal answer, holds.ToHost(device_));
    if (!answer.BoolAt(0)) return state;
    arguments.clear();
    arguments.push_back(std::move(state));
    ASSAY_TRY(state, Call(loop.Computation("body"), std::move(arguments)));
  }
}

Result<Value> ModuleRun::Choose(const HloInstruction& conditional, std::vector<Value> operands) {
  const std::vector<HloComputation*> branches = conditional.CalledComputations();
  ASSAY_TRY(const Literal choice, operands[0].ToHost(device_));
  const auto last = static_cast<std::int64_t>(branches.size()) - 1;
  std::int64_t branch = choice.IntegerAt(0);
  if (choice.element_type() == PRED) {
    branch = branch != 0 ? 0 : 1;
  } else if (branch < 0 || branch > last) {
    branch = last;
  }
  std::vector<Value> arguments;
  arguments.push_back(std::move(operands[static_cast<std::size_t>(branch) + 1]));
  return Call(*branches[static_cast<std::size_t>(branch)], std::move(arguments));
}

Result<Value> ModuleRun::Launch(const HloInstruction& instruction, const PlannedKernel& kernel,
                                std::vector<Value> operands) {
  const KernelProgram& program = kernel.program;
  std::vector<std::shared_ptr<Buffer>> inputs, outputs, scratch;
  for (const Value& operand : operands) {
    ASSAY_TRY(std::shared_ptr<Buffer> buffer, operand.ToDevice(device_));
    inputs.push_back(std::move(buffer));
  }
  const std::vector<Shape> leaves = LeafShapes(instruction.shape);
  for (const Shape& leaf : leaves) {
    const std::int64_t bytes = ShapeUtil::ElementsIn(leaf) * StorageBytes(leaf.element_type());
    std::shared_ptr<Buffer> buffer;
    const int updated = outputs.empty() ? program.updated_operand : -1;
    if (updated >= 0 && bytes > 0) {
      std::shared_ptr<Buffer>& input = inputs[static_cast<std::size_t>(updated)];
      // The operand's buffer has one other holder: `inputs`.
      const bool is_alone = operands[static_cast<std::size_t>(updated)].IsAlone(/*others=*/1);
      if (is_alone) {
        buffer = input;
      } else {
        ASSAY_TRY(buffer, device_.Allocate(bytes));
        ASSAY_CHECK_OK(device_.CopyOnDevice(*input, *buffer, bytes));
      }
    } else if (bytes > 0) {
      ASSAY_TRY(buffer, device_.Allocate(bytes));
    }
    outputs.push_back(std::move(buffer));
  }
  for (const std::int64_t bytes : program.scratch_bytes) {
    ASSAY_TRY(std::shared_ptr<Buffer> buffer, device_.Allocate(bytes));
    scratch.push_back(std::move(buffer));
  }
  const KernelBuffers buffers = {std::move(inputs), outputs, std::move(scratch)};
  for (std::size_t l = 0; l < program.launches.size(); ++l) {
    ASSAY_CHECK_OK(cuda::Enqueue(device_, kernel.loaded[l].get(), program.launches[l], buffers));
  }
  for (const auto& computed : instruction.Computation("calls").instructions) {
    const OpRole role = computed->op->role;
    if (role != OpRole::kParameter && role != OpRole::kConstant) ++counts_.on_device[computed->op->name];
  }
  std::vector<Value> results;
  for (std::size_t i = 0; i < leaves.size(); ++i) results.push_back(Value::OnDevice(leaves[i], std::move(outputs[i])));
  if (program.has_doubts) {
    ASSAY_TRY(const std::optional<std::vector<std::uint64_t>> places, DoubtsOf(device_, *buffers.scratch[0]));
    if (!places) return EvaluateOnHost(instruction, operands);
    counts_.doubtful += static_cast<std::int64_t>(places->size());
    const DoubtfulResult doubtful = {instruction, program, operands, buffers, *places};
    ASSAY_TRY(std::optional<Value> sure, WithoutDoubts(device_, doubtful, results[0]));
    return sure ? Result<Value>(*std::move(sure)) : EvaluateOnHost(instruction, operands);
  }
  std::size_t next = 0;
  return Assembled(instruction.shape, results, next);
}

Result<Value> ModuleRun::EvaluateOnHost(const HloInstruction& instruction, const std::vector<Value>& operands) {
  ASSAY_TRY(const HostInstruction* on_host, module_.OnHost(instruction));
  DeviceValues arguments(1);
  for (const Value& operand : operands) {
    ASSAY_TRY(Literal literal, operand.ToHost(device_));
    arguments[0].push_back(std::move(literal));
  }
  ++counts_.on_host[instruction.op->name];
  ASSAY_TRY(PerDevice<DeviceOutputs> outputs, on_host->planned.Evaluate(std::move(arguments)));
  return Value::OnHost(std::move(outputs[0].output));
}

}  // namespace assay::cuda
