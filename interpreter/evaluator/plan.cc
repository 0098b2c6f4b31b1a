#include "interpreter/evaluator/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace assay {
namespace {

// Calls deeper than this would exhaust the stack of the evaluator.
constexpr int kMaxCallDepth = 1000;

EvaluationError TooDeep(const HloComputation& computation) {
  return {{ErrorCode::kLimit,
           fmt::format("computations call each other more than {} deep, at {}", kMaxCallDepth, computation.name)}};
}

bool HasSideEffect(const HloInstruction& instruction) {
  const Op& op = *instruction.op;
  return op.evaluation.has_side_effect ||
         (!op.evaluation.side_effect_flag.empty() && instruction.Bool(op.evaluation.side_effect_flag));
}

using SideEffects = ComputationPlan::SideEffects;
using InstructionSet = std::unordered_set<const HloInstruction*>;

InstructionSet LiveInstructions(const HloComputation& computation, const SideEffects& has_side_effect) {
  const auto must_run = [&](const HloInstruction& instruction) {
    // Parameters stay: their slots receive the arguments.
    return instruction.op->role == OpRole::kParameter || HasSideEffect(instruction) ||
           std::ranges::any_of(instruction.CalledComputations(),
                               [&](const HloComputation* called) { return has_side_effect.at(called); });
  };
  InstructionSet live;
  std::vector<const HloInstruction*> pending = {computation.root};
  for (const auto& instruction : computation.instructions) {
    if (must_run(*instruction)) pending.push_back(instruction.get());
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
std::vector<const HloInstruction*> ExecutionOrder(const HloComputation& computation,
                                                  const SideEffects& has_side_effect) {
  const InstructionSet live = LiveInstructions(computation, has_side_effect);
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

ComputationPlan::ComputationPlan(const HloComputation& computation, const SideEffects& has_side_effect,
                                 const OpOverrides& overrides)
    : computation_(computation) {
  std::unordered_map<const HloInstruction*, int> slots;
  for (const HloInstruction* instruction : ExecutionOrder(computation, has_side_effect)) {
    const auto other = overrides.find(instruction->op);
    const Op& op = other == overrides.end() ? *instruction->op : *other->second;
    if (!op.IsEvaluated()) {
      throw EvaluationError{{ErrorCode::kUnsupported,
                             fmt::format("{} is not evaluated{}{}", op.name,
                                         op.evaluation.not_evaluated.empty() ? "" : ": ", op.evaluation.not_evaluated),
                             instruction->location}};
    }
    if (op.evaluation.check_evaluated != nullptr) {
      if (const Status status = op.evaluation.check_evaluated(*instruction); !status)
        throw EvaluationError{status.error()};
    }
    PlanStep step;
    step.instruction = instruction;
    step.op = &op;
    step.slot = static_cast<int>(steps_.size());
    if (op.evaluation.kernel != nullptr) step.kernel = op.evaluation.kernel(*instruction);
    if (op.evaluation.prepare != nullptr) step.prepared = op.evaluation.prepare(*instruction);
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

PlanSet::PlanSet(const HloModule& module, const OpOverrides& overrides) {
  FindSideEffects(*module.entry, 0);
  Add(*module.entry, overrides);
}

bool PlanSet::FindSideEffects(const HloComputation& computation, int depth) {
  if (depth > kMaxCallDepth) throw TooDeep(computation);
  if (const auto known = has_side_effect_.find(&computation); known != has_side_effect_.end()) return known->second;
  bool found = false;
  for (const auto& instruction : computation.instructions) {
    found |= HasSideEffect(*instruction);
    for (const HloComputation* called : instruction->CalledComputations()) found |= FindSideEffects(*called, depth + 1);
  }
  return has_side_effect_[&computation] = found;
}

int PlanSet::Add(const HloComputation& computation, const OpOverrides& overrides) {
  if (const auto known = heights_.find(&computation); known != heights_.end()) return known->second;
  auto plan = std::make_unique<ComputationPlan>(computation, has_side_effect_, overrides);
  int height = 0;
  for (const PlanStep& step : plan->steps()) {
    for (const HloComputation* called : step.instruction->CalledComputations()) {
      height = std::max(height, Add(*called, overrides) + 1);
    }
  }
  // Computations that other callers have reached by a shorter way count with all that they call.
  if (height > kMaxCallDepth) throw TooDeep(computation);
  plans_[&computation] = std::move(plan);
  return heights_[&computation] = height;
}

}  // namespace assay
