// The order of computations and instructions in printed text. Both walks keep an explicit stack: a module may nest
// deeper than the machine's stack.
#include <algorithm>
#include <unordered_set>

#include "interpreter/hlo/instruction_places.h"
#include "interpreter/hlo/printer.h"

namespace assay {
namespace {

using Callees = std::vector<HloComputation*>;

// Returns the groups of callees that the walk enters at once, in the order of the instructions.
std::vector<Callees> Groups(const HloComputation& computation, ComputationOrder order) {
  std::vector<Callees> groups;
  for (const auto& instruction : computation.instructions) {
    const Callees callees = instruction->CalledComputations();
    if (order == ComputationOrder::kXla) {
      groups.push_back(callees);
    } else {
      for (HloComputation* callee : callees) groups.push_back({callee});
    }
  }
  return groups;
}

class ComputationWalk {
 public:
  explicit ComputationWalk(ComputationOrder order) : order_(order) {}

  // Appends `root` after every callee that has not been visited.
  void Visit(const HloComputation* root) {
    Enter(root);
    while (!stack_.empty()) {
      Frame& top = stack_.back();
      if (top.next == top.groups.size()) {
        visited_.push_back(top.computation);
        stack_.pop_back();
        continue;
      }
      const Callees group = top.groups[top.next++];
      for (auto callee = group.rbegin(); callee != group.rend(); ++callee) Enter(*callee);
    }
  }

  std::vector<const HloComputation*> visited() && { return std::move(visited_); }

 private:
  struct Frame {
    const HloComputation* computation;
    std::vector<Callees> groups;
    std::size_t next = 0;
  };

  void Enter(const HloComputation* computation) {
    if (entered_.insert(computation).second) stack_.push_back({computation, Groups(*computation, order_)});
  }

  const ComputationOrder order_;
  std::vector<Frame> stack_;
  std::unordered_set<const HloComputation*> entered_;
  std::vector<const HloComputation*> visited_;
};

}  // namespace

std::vector<const HloComputation*> ComputationPostOrder(const HloModule& module, ComputationOrder order) {
  std::unordered_set<const HloComputation*> called;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      for (const HloComputation* callee : instruction->CalledComputations()) called.insert(callee);
    }
  }
  ComputationWalk walk(order);
  for (const auto& computation : module.computations) {
    if (!called.contains(computation.get())) walk.Visit(computation.get());
  }
  return std::move(walk).visited();
}

std::vector<const HloInstruction*> InstructionPostOrder(const HloComputation& computation) {
  const InstructionPlaces places(computation);
  std::vector<bool> used(places.size() + 1);  // the last entry is for operands that are not in the computation
  for (const auto& instruction : computation.instructions) {
    for (const HloInstruction* operand : instruction->operands) used[places[operand]] = true;
  }
  enum class State { kNew, kOpen, kDone };
  std::vector<State> states(places.size() + 1);
  std::vector<const HloInstruction*> order, stack;
  for (std::size_t place = 0; place < places.size(); ++place) {
    if (used[place]) continue;
    stack.push_back(computation.instructions[place].get());
    while (!stack.empty()) {
      const HloInstruction* top = stack.back();
      State& state = states[places[top]];
      if (state != State::kNew) {
        stack.pop_back();
        if (std::exchange(state, State::kDone) == State::kOpen) order.push_back(top);
        continue;
      }
      state = State::kOpen;
      // The last entry is visited first: control predecessors, the last of them first, then the operands in order.
      stack.insert(stack.end(), top->operands.rbegin(), top->operands.rend());
      stack.insert(stack.end(), top->control_predecessors.begin(), top->control_predecessors.end());
    }
  }
  return order;
}

}  // namespace assay
