#include "fuzz/branch_goals.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "interpreter/acceptance/elements.h"
#include "interpreter/types/primitive_type.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

// True for an instruction that compares two arrays of integers or real numbers, element by element.
bool ComparesNumbers(const HloInstruction& instruction, std::span<const Literal> operands) {
  if (operands.size() != 2 || !instruction.shape.IsArray() || instruction.shape.element_type() != PRED) return false;
  return std::ranges::all_of(operands, [&](const Literal& operand) {
    return operand.shape().IsArray() && operand.element_count() == operands[0].element_count() &&
           (IsFloatingPointType(operand.element_type()) || IsIntegralType(operand.element_type()));
  });
}

double NumberOfElement(const Literal& array, std::int64_t offset) {
  if (IsFloatingPointType(array.element_type())) return RealValue(ComponentAt(array, offset));
  return static_cast<double>(array.IntegerAt(offset));
}

}  // namespace

bool BranchGoals::Take(const DeviceValues& inputs) {
  bool is_new = false;
  std::map<const HloInstruction*, double> distances;
  EvaluationOptions options = {.limits = limits_};
  options.observer = [&](const HloInstruction& instruction, std::span<const Literal> operands, const Literal& result,
                         DeviceId) {
    if (result.promise() != nullptr || !ComparesNumbers(instruction, operands)) return;
    Goal& goal = goals_[&instruction];
    double& distance = distances.try_emplace(&instruction, INFINITY).first->second;
    for (std::int64_t i = 0; i < result.element_count(); ++i) {
      bool& seen = goal.seen[result.BoolAt(i) ? 1 : 0];
      is_new |= !std::exchange(seen, true);
      const double apart = std::fabs(NumberOfElement(operands[0], i) - NumberOfElement(operands[1], i));
      if (apart < distance) distance = apart;  // not for NaN
    }
  };
  if (!WithoutThrowing([&] { return EvaluateOnDevices(module_, inputs, options); })) return false;
  for (const auto& [instruction, distance] : distances) {
    Goal& goal = goals_[instruction];
    if (distance > goal.distance) continue;
    goal.distance = distance;
    goal.inputs = inputs;
  }
  return is_new;
}

const DeviceValues* BranchGoals::Next() {
  Goal* next = nullptr;
  for (auto& [instruction, goal] : goals_) {
    if (goal.IsOpen() && (next == nullptr || goal.tries < next->tries)) next = &goal;
  }
  if (next == nullptr) return nullptr;
  ++next->tries;
  return &next->inputs;
}

}  // namespace assay
