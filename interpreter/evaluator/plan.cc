#include "interpreter/evaluator/plan.h"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

namespace assay {
namespace {

// Calls deeper than this would exhaust the stack of the evaluator.
constexpr int kMaxCallDepth = 1000;

bool HasSideEffect(const HloInstruction& instruction) {
  if (instruction.op->has_side_effect) return true;
  for (const HloComputation* called : instruction.CalledComputations()) {
    for (const auto& inner : called->instructions) {
      if (HasSideEffect(*inner)) return true;
    }
  }
  return false;
}

using InstructionSet = std::unordered_set<const HloInstruction*>;

InstructionSet LiveInstructions(const HloComputation& computation) {
  InstructionSet live;
  std::vector<const HloInstruction*> pending = {computation.root};
  for (const auto& instruction : computation.instructions) {
    // Parameters stay: their slots receive the arguments.
    if (instruction->op->role == OpRole::kParameter || HasSideEffect(*instruction))
      pending.push_back(instruction.get());
  }
  while (!pending.empty()) {
    const HloInstruction* instruction = pending.back();
    pending.pop_back();
    if (!live.insert(instruction).second) continue;
    for (const HloInstruction* operand : instruction->operands) pending.push_back(operand);
    for (const HloInstruction* predecessor : instruction->control_predecessors) pending.push_back(predecessor);
  }
  return live;
}

// Elements are taken out of a tuple as soon as it exists, so that the tuple does not keep buffers shared that an
// in-place update could reuse.
std::vector<const HloInstruction*> ExecutionOrder(const HloComputation& computation) {
  const InstructionSet live = LiveInstructions(computation);
  std::unordered_map<const HloInstruction*, std::vector<const HloInstruction*>> elements_of;
  for (const auto& instruction : computation.instructions) {
    if (live.contains(instruction.get()) && instruction->op->role == OpRole::kGetTupleElement) {
      elements_of[instruction->operands[0]].push_back(instruction.get());
    }
  }
  std::vector<const HloInstruction*> order;
  for (const auto& instruction : computation.instructions) {
    if (!live.contains(instruction.get()) || instruction->op->role == OpRole::kGetTupleElement) continue;
    const std::size_t first = order.size();
    order.push_back(instruction.get());
    // Nested tuples: elements that are tuples are taken apart in turn.
    for (std::size_t i = first; i < order.size(); ++i) {
      const auto it = elements_of.find(order[i]);
      if (it != elements_of.end()) order.insert(order.end(), it->second.begin(), it->second.end());
    }
  }
  return order;
}

}  // namespace

ComputationPlan::ComputationPlan(const HloComputation& computation) : computation_(computation) {
  std::unordered_map<const HloInstruction*, int> slots;
  for (const HloInstruction* instruction : ExecutionOrder(computation)) {
    const Op& op = *instruction->op;
    if (!op.IsEvaluated()) {
      throw EvaluationError{
          {ErrorCode::kUnsupported,
           fmt::format("{} is not evaluated{}{}", op.name, op.not_evaluated.empty() ? "" : ": ", op.not_evaluated),
           instruction->location}};
    }
    PlanStep step;
    step.instruction = instruction;
    step.slot = static_cast<int>(steps_.size());
    if (op.kernel != nullptr) step.kernel = op.kernel(*instruction);
    for (const HloInstruction* operand : instruction->operands) step.operands.push_back(slots.at(operand));
    slots[instruction] = step.slot;
    steps_.push_back(std::move(step));
  }
  root_slot_ = slots.at(computation.root);

  std::vector<bool> needed_later(steps_.size(), false);
  needed_later[root_slot_] = true;
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    step->is_last_use.resize(step->operands.size());
    for (std::size_t i = step->operands.size(); i-- > 0;) {
      step->is_last_use[i] = !needed_later[step->operands[i]];
      needed_later[step->operands[i]] = true;
    }
  }
}

PlanSet::PlanSet(const HloModule& module) { Add(*module.entry, 0); }

void PlanSet::Add(const HloComputation& computation, int depth) {
  if (depth > kMaxCallDepth) {
    throw EvaluationError{{ErrorCode::kLimit, fmt::format("computations call each other more than {} deep, at {}",
                                                          kMaxCallDepth, computation.name)}};
  }
  if (plans_.contains(&computation)) return;
  auto plan = std::make_unique<ComputationPlan>(computation);
  for (const PlanStep& step : plan->steps()) {
    for (const HloComputation* called : step.instruction->CalledComputations()) Add(*called, depth + 1);
  }
  plans_[&computation] = std::move(plan);
}

}  // namespace assay
