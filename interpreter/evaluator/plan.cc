#include "interpreter/evaluator/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <utility>

#include "interpreter/evaluator/least_memory.h"
#include "interpreter/hlo/instruction_places.h"
#include "interpreter/kernels/kernels.h"

namespace assay {
namespace {

// Deeper calls would exhaust the stack of the evaluator.
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

// Lists of a computation of usual length need no allocation: many plans are made of small modules.
template <class T>
using ShortList = boost::container::small_vector<T, 64>;

// Returns the live instructions, by position.
ShortList<bool> LiveInstructions(const HloComputation& computation, const InstructionPlaces& places,
                                 const SideEffects& has_side_effect) {
  const auto must_run = [&](const HloInstruction& instruction) {
    // Parameters are always live: their slots receive the arguments.
    return instruction.op->role == OpRole::kParameter || HasSideEffect(instruction) ||
           std::ranges::any_of(instruction.CalledComputations(),
                               [&](const HloComputation* called) { return has_side_effect.at(called); });
  };
  ShortList<bool> live(places.size());
  ShortList<const HloInstruction*> pending(1, computation.root);
  for (const auto& instruction : computation.instructions) {
    if (must_run(*instruction)) pending.push_back(instruction.get());
  }
  while (!pending.empty()) {
    const HloInstruction* instruction = pending.back();
    pending.pop_back();
    const std::size_t place = places[instruction];
    if (std::exchange(live[place], true)) continue;
    for (const HloInstruction* operand : instruction->operands) pending.push_back(operand);
    for (const HloInstruction* predecessor : instruction->control_predecessors) pending.push_back(predecessor);
  }
  return live;
}

// Returns the live instructions in execution order. The elements of a tuple are extracted as soon as it exists, so that
// the tuple does not keep buffers shared that an in-place update could reuse.
ShortList<const HloInstruction*> ExecutionOrder(const HloComputation& computation, const InstructionPlaces& places,
                                                const SideEffects& has_side_effect) {
  const ShortList<bool> live = LiveInstructions(computation, places, has_side_effect);
  std::vector<std::pair<const HloInstruction*, const HloInstruction*>> elements;  // with their tuples
  for (std::size_t i = 0; i < places.size(); ++i) {
    const HloInstruction& instruction = *computation.instructions[i];
    if (live[i] && instruction.op->role == OpRole::kGetTupleElement) {
      elements.emplace_back(instruction.operands[0], &instruction);
    }
  }
  std::ranges::stable_sort(elements, {}, [](const auto& element) { return element.first; });
  ShortList<const HloInstruction*> order;
  order.reserve(places.size());
  for (std::size_t place = 0; place < places.size(); ++place) {
    const HloInstruction& instruction = *computation.instructions[place];
    if (!live[place] || instruction.op->role == OpRole::kGetTupleElement) continue;
    const std::size_t first = order.size();
    order.push_back(&instruction);
    // Nested tuples: elements that are tuples are extracted in turn.
    for (std::size_t i = first; i < order.size() && !elements.empty(); ++i) {
      const HloInstruction* const tuple = order[i];
      auto element = std::ranges::lower_bound(elements, tuple, {}, [](const auto& one) { return one.first; });
      for (; element != elements.end() && element->first == tuple; ++element) order.push_back(element->second);
    }
  }
  return order;
}

// Returns the record whose body runs an instruction. Throws EvaluationError if there is none, or no value of a
// constant.
const Op& EvaluatedOp(const HloInstruction& instruction, const OpOverrides& overrides) {
  if (instruction.literal_is_elided) {
    throw EvaluationError{
        {ErrorCode::kInput,
         fmt::format("{} has no values: the text elides them ({{...}}); FillElidedConstants fills them",
                     instruction.name),
         instruction.location}};
  }
  const Op& op = RunningOp(instruction, overrides);
  if (!op.IsEvaluated()) {
    throw EvaluationError{{ErrorCode::kUnsupported,
                           fmt::format("{} is not evaluated{}{}", op.name,
                                       op.evaluation.not_evaluated.empty() ? "" : ": ", op.evaluation.not_evaluated),
                           instruction.location}};
  }
  if (op.evaluation.check_evaluated != nullptr) {
    if (const Status status = op.evaluation.check_evaluated(instruction); !status)
      throw EvaluationError{status.error()};
  }
  return op;
}

}  // namespace

ComputationPlan::ComputationPlan(const HloComputation& computation, const SideEffects& has_side_effect,
                                 const OpOverrides& overrides)
    : computation_(computation) {
  const InstructionPlaces places(computation);
  ShortList<int> slots(places.size());
  const ShortList<const HloInstruction*> order = ExecutionOrder(computation, places, has_side_effect);
  std::size_t operands = 0;
  for (const HloInstruction* instruction : order) operands += instruction->operands.size();
  operands_.reserve(operands);
  steps_.reserve(order.size());
  for (const HloInstruction* instruction : order) {
    const Op& op = EvaluatedOp(*instruction, overrides);
    const int slot = static_cast<int>(steps_.size());
    PlanStep& step = steps_.emplace_back();
    step.instruction = instruction;
    step.op = &op;
    step.slot = slot;
    if (instruction->op->role == OpRole::kGetTupleElement) step.tuple_index = instruction->tuple_index();
    if (instruction->op->role == OpRole::kCall) step.called = instruction->CalledComputations().front();
    if (op.evaluation.kernel != nullptr) step.kernel = op.evaluation.kernel(*instruction);
    if (op.evaluation.prepare != nullptr) step.prepared = op.evaluation.prepare(*instruction, overrides);
    step.operands = {operands_.data() + operands_.size(), instruction->operands.size()};
    for (const HloInstruction* operand : instruction->operands) operands_.push_back({slots[places[operand]], false});
    slots[places[instruction]] = slot;
  }
  root_slot_ = slots[places[computation.root]];

  ShortList<bool> needed_later(steps_.size());
  needed_later[root_slot_] = true;
  for (auto operand = operands_.rbegin(); operand != operands_.rend(); ++operand) {
    operand->is_last_use = !std::exchange(needed_later[operand->slot], true);
  }
}

PlanSet::PlanSet(const HloModule& module, const OpOverrides& overrides) {
  FindSideEffects(*module.entry, 0);
  Add(*module.entry, overrides);
  least_bytes_of_entry_ = LeastArrayBytes(Of(*module.entry), /*holds_parameters=*/false);
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
  // The depth of a computation includes all of its callees, even those already reached by a shorter path.
  if (height > kMaxCallDepth) throw TooDeep(computation);
  plans_[&computation] = std::move(plan);
  return heights_[&computation] = height;
}

}  // namespace assay
