// The order of computations and instructions in printed text. Both walks keep their own stack: a module may nest deeper
// than the machine's stack.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "interpreter/hlo/printer.h"

namespace assay {
namespace {

std::vector<const HloComputation*> Callees(const HloComputation& computation) {
  std::vector<const HloComputation*> callees;
  for (const auto& instruction : computation.instructions) {
    for (const HloComputation* callee : instruction->CalledComputations()) callees.push_back(callee);
  }
  return callees;
}

// Appends `root` behind everything it calls that has not been visited.
void VisitComputation(const HloComputation* root, std::unordered_set<const HloComputation*>& visited,
                      std::vector<const HloComputation*>& order) {
  struct Frame {
    const HloComputation* computation;
    std::vector<const HloComputation*> callees;
    std::size_t next = 0;
  };
  if (!visited.insert(root).second) return;
  std::vector<Frame> stack;
  stack.push_back({root, Callees(*root)});
  while (!stack.empty()) {
    Frame& top = stack.back();
    if (top.next == top.callees.size()) {
      order.push_back(top.computation);
      stack.pop_back();
    } else if (const HloComputation* callee = top.callees[top.next++]; visited.insert(callee).second) {
      stack.push_back({callee, Callees(*callee)});
    }
  }
}

}  // namespace

std::vector<const HloComputation*> ComputationPostOrder(const HloModule& module) {
  std::unordered_set<const HloComputation*> called;
  for (const auto& computation : module.computations) {
    for (const HloComputation* callee : Callees(*computation)) called.insert(callee);
  }
  std::unordered_set<const HloComputation*> visited;
  std::vector<const HloComputation*> order;
  for (const auto& computation : module.computations) {
    if (!called.contains(computation.get())) VisitComputation(computation.get(), visited, order);
  }
  return order;
}

std::vector<const HloInstruction*> InstructionPostOrder(const HloComputation& computation) {
  std::vector<const HloInstruction*> order;
  if (computation.module->is_scheduled) {
    for (const auto& instruction : computation.instructions) order.push_back(instruction.get());
    return order;
  }
  std::unordered_set<const HloInstruction*> used;
  for (const auto& instruction : computation.instructions) {
    used.insert(instruction->operands.begin(), instruction->operands.end());
  }
  enum class State { kOpen, kDone };
  std::unordered_map<const HloInstruction*, State> states;
  std::vector<const HloInstruction*> stack;
  for (const auto& start : computation.instructions) {
    if (used.contains(start.get())) continue;
    stack.push_back(start.get());
    while (!stack.empty()) {
      const HloInstruction* top = stack.back();
      const auto [state, is_new] = states.emplace(top, State::kOpen);
      if (!is_new) {
        stack.pop_back();
        if (std::exchange(state->second, State::kDone) == State::kOpen) order.push_back(top);
        continue;
      }
      // The last pushed is visited first: control predecessors, the last of them first, then the operands in order.
      stack.insert(stack.end(), top->operands.rbegin(), top->operands.rend());
      stack.insert(stack.end(), top->control_predecessors.begin(), top->control_predecessors.end());
    }
  }
  return order;
}

}  // namespace assay
