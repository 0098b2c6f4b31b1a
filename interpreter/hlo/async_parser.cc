// Parsing of async instructions: the computation that a short form implies, and the attributes that an update or done
// inherits from its start.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "interpreter/hlo/async_text.h"
#include "interpreter/hlo/module_parser.h"

namespace assay {
namespace {

// Sets the execution thread of the computation and of all computations that it calls.
void SetThread(HloComputation& computation, const std::string& thread) {
  std::vector<HloComputation*> open = {&computation};
  while (!open.empty()) {
    HloComputation* const current = open.back();
    open.pop_back();
    if (current->execution_thread == thread) continue;
    current->execution_thread = thread;
    for (const auto& instruction : current->instructions) {
      for (HloComputation* callee : instruction->CalledComputations()) open.push_back(callee);
    }
  }
}

// Copies the annotations of an async instruction to its wrapped instruction, as XLA does.
void PassOn(const HloInstruction& instruction) {
  HloInstruction& wrapped = *instruction.Computation("calls").root;
  for (const char* name : {"metadata", "backend_config", "frontend_attributes", "statistics", "origin"}) {
    const auto found = instruction.annotations.find(name);
    if (found != instruction.annotations.end()) wrapped.annotations[found->first] = found->second;
  }
}

// Adds a parameter, which becomes the next operand of the wrapped instruction. The root stays last.
void AddOperand(HloComputation& computation, HloInstruction& wrapped, const HloInstruction& operand,
                SourceLocation location) {
  auto parameter = std::make_unique<HloInstruction>();
  parameter->op = *std::ranges::find(AllOps(), OpRole::kParameter, &Op::role);
  parameter->name = "async_param";
  parameter->parameter_number = std::ssize(wrapped.operands);
  parameter->shape = operand.shape;
  parameter->location = location;
  wrapped.operands.push_back(&computation.Add(std::move(parameter)));
  auto& instructions = computation.instructions;
  if (computation.root != nullptr) std::swap(instructions.back(), instructions[instructions.size() - 2]);
}

}  // namespace

// Builds the computation of a short form's start: parameters for its operands, and one instruction with its attributes.
// The result of that instruction is element 1 of the start's shape. FinishAsync checks the instruction, because updates
// may bind more operands.
Status ModuleParser::WrapAsync(InstructionDrawer& draft) {
  HloInstruction& start = *draft.instruction;
  HloInstruction& wrapped = *draft.wrapped;
  if (!draft.has_shape || !start.shape.IsTuple() || start.shape.tuple_shapes().size() < 2) {
    return TextParser::FailAt(draft.opcode_location,
                              "the shape of an async start is ((operands), result, contexts...)");
  }
  auto computation = std::make_unique<HloComputation>();
  computation->name = "async_wrapped";
  computation->location = draft.opcode_location;
  for (const HloInstruction* operand : start.operands) {
    AddOperand(*computation, wrapped, *operand, draft.opcode_location);
  }
  wrapped.name = wrapped.op->name;
  wrapped.shape = start.shape.tuple_shapes(1);
  wrapped.location = draft.opcode_location;
  computation->root = &computation->Add(std::move(draft.wrapped));
  HloComputation* const added = AddComputation(std::move(computation));
  short_forms_.emplace(added, draft.opcode_location);
  start.Set("calls", added);
  return {};
}

// Appends the operands of an update to the instruction that a short form's start wraps.
void ModuleParser::BindLate(HloComputation& computation, std::span<HloInstruction* const> operands) {
  const auto found = short_forms_.find(&computation);
  if (found == short_forms_.end()) return;
  for (const HloInstruction* operand : operands) AddOperand(computation, *computation.root, *operand, found->second);
}

// Checks the wrapped instructions of short forms, in the order of the text.
Status ModuleParser::FinishAsync() {
  for (const auto& computation : module_->computations) {
    const auto found = short_forms_.find(computation.get());
    if (found == short_forms_.end()) continue;
    ASSAY_CHECK_OK(CheckOperandsAndAttributes(*computation->root, found->second));
    ASSAY_CHECK_OK(Normalize(*computation->root, found->second));
  }
  return {};
}

Status ModuleParser::CompleteAsync(InstructionDrawer& draft) {
  HloInstruction& instruction = *draft.instruction;
  const auto fail = [&](std::string message) { return TextParser::FailAt(draft.opcode_location, std::move(message)); };
  const std::string thread(instruction.String("async_execution_thread"));
  if (instruction.op->role == OpRole::kAsyncStart) {
    if (draft.wrapped != nullptr) ASSAY_CHECK_OK(WrapAsync(draft));
    if (!instruction.Has("calls")) return fail("async-start needs the attribute calls");
    if (!thread.empty()) SetThread(instruction.Computation("calls"), thread);
    PassOn(instruction);
    return {};
  }
  const OpRole role = instruction.operand(0).op->role;
  if (AsyncSuffix(role).empty() || role == OpRole::kAsyncDone) {
    return fail(fmt::format("operand 0 of {} must be an async start or update, found {}", instruction.op->name,
                            instruction.operand(0).op->name));
  }
  HloComputation& computation = instruction.operand(0).Computation("calls");
  if (draft.wrapped != nullptr && computation.root->op != draft.wrapped->op) {
    return fail(fmt::format("what was started is {}, not {}", computation.root->op->name, draft.wrapped->op->name));
  }
  if (!thread.empty() && thread != computation.execution_thread) {
    return fail(fmt::format("it was started on thread {}, not {}", computation.execution_thread, thread));
  }
  if (const auto* written = instruction.Find<HloComputation*>("calls");
      written != nullptr && *written != &computation) {
    return fail(fmt::format("it was started with calls={}, not {}", computation.name, (*written)->name));
  }
  instruction.Set("calls", &computation);
  PassOn(instruction);
  BindLate(computation, std::span(instruction.operands).subspan(1));
  return {};
}

}  // namespace assay
