// Parsing of async instructions: the computation that a short form implies, and the attributes that an update or done
// inherits from its start.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "interpreter/hlo/async_pairs.h"
#include "interpreter/hlo/async_text.h"
#include "interpreter/hlo/make_instruction.h"
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

// True for the result of an operation that is bound after its start.
bool IsLateBound(const Shape& shape) { return shape.IsTuple() && shape.tuple_shapes().empty(); }

// Adds a parameter, which becomes the next operand of the wrapped instruction. The root stays last.
void AddOperand(HloComputation& computation, HloInstruction& wrapped, const HloInstruction& operand,
                SourceLocation location) {
  auto parameter = MakeInstruction(OpRole::kParameter, operand.shape);
  parameter->name = "async_param";
  parameter->parameter_number = std::ssize(wrapped.operands);
  parameter->location = location;
  wrapped.operands.push_back(&computation.Add(std::move(parameter)));
  auto& instructions = computation.instructions;
  if (computation.root != nullptr) std::swap(instructions.back(), instructions[instructions.size() - 2]);
}

}  // namespace

// Builds the computation of a short form's start: parameters for its operands, and one instruction with its attributes.
// The result of that instruction is element 1 of the start's shape. A call or fusion has the parameters and the result
// of the computation that it calls. Otherwise updates may bind more operands, and they or the done the result, so that
// FinishAsync checks the instruction.
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
  const bool applies_one = wrapped.op->role == OpRole::kCall || wrapped.op->legality.fuses;
  if (const auto called = wrapped.CalledComputations(); applies_one && called.size() == 1) {
    const auto parameters = called[0]->Parameters();
    for (std::size_t i = start.operands.size(); i < parameters.size(); ++i) {
      AddOperand(*computation, wrapped, *parameters[i], draft.opcode_location);
    }
    if (IsLateBound(wrapped.shape)) wrapped.shape = called[0]->root->shape;
  }
  wrapped.location = draft.opcode_location;
  computation->root = &computation->Add(std::move(draft.wrapped));
  HloComputation* const added = AddComputation(std::move(computation));
  short_forms_.emplace(added, draft.opcode_location);
  start.Set("calls", added);
  return {};
}

// Gives the instruction that a short form's start wraps what an update or done binds: operands after those that are
// bound before, and the result.
void ModuleParser::BindLate(const HloInstruction& instruction) {
  HloComputation& computation = instruction.Computation("calls");
  const auto found = short_forms_.find(&computation);
  if (found == short_forms_.end()) return;
  const HloInstruction& before = instruction.operand(0);
  const bool is_update = instruction.op->role == OpRole::kAsyncUpdate;
  const Shape& whole = is_update ? instruction.shape : before.shape;
  if (!whole.IsTuple() || whole.tuple_shapes().size() < 2 || !whole.tuple_shapes(0).IsTuple()) return;
  HloInstruction& wrapped = *computation.root;
  const std::size_t bound = whole.tuple_shapes(0).tuple_shapes().size();
  for (std::size_t i = 1; i < instruction.operands.size() && wrapped.operands.size() < bound; ++i) {
    AddOperand(computation, wrapped, instruction.operand(i), found->second);
  }
  if (IsLateBound(wrapped.shape)) wrapped.shape = is_update ? whole.tuple_shapes(1) : instruction.shape;
}

// Completes updates and dones of values that have passed through other instructions. Checks the wrapped instructions of
// short forms, in the order of the text.
Status ModuleParser::FinishAsync() {
  FollowStarts(*module_);
  for (const HloInstruction* late : passed_on_) {
    if (!late->Has("calls")) continue;
    BindLate(*late);
  }
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
  if (AsyncSuffix(role).empty() || role == OpRole::kAsyncDone || !instruction.operand(0).Has("calls")) {
    passed_on_.push_back(&instruction);
    return {};
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
  BindLate(instruction);
  return {};
}

}  // namespace assay
