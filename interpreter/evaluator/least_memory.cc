#include "interpreter/evaluator/least_memory.h"

#include <algorithm>
#include <vector>

#include "interpreter/hlo/op.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

constexpr std::int64_t kChecked = 256 << 20;  // bytes: smaller modules are refused at the instruction, which is named

// Returns the bytes of an array; 0 for other values, and for arrays whose sizes are known at run time only.
std::int64_t BytesOfArray(const Shape& shape) {
  if (!shape.IsArray() || shape.IsDynamic()) return 0;
  const Result<std::int64_t> bytes = ShapeUtil::CheckedByteSizeOf(shape);
  return bytes ? *bytes : 0;
}

// Returns the sum, or INT64_MAX if it is larger.
std::int64_t SumOf(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

bool IsHeld(const PlanStep& step, bool holds_parameters) {
  const OpRole role = step.instruction->op->role;
  return role == OpRole::kConstant || (role == OpRole::kParameter && holds_parameters);
}

// True if the result needs a buffer of its own at once. A kernel may write to an operand that nobody else uses; other
// bodies may return any operand that is as large, and computations that they call may return a constant. Values of
// other devices may arrive later.
bool NeedsBuffer(const PlanStep& step, const std::vector<PlanStep>& steps, std::int64_t bytes, bool holds_parameters) {
  const HloInstruction& instruction = *step.instruction;
  const bool is_ordinary = instruction.op->role == OpRole::kOrdinary && !instruction.op->evaluation.depends_on_device;
  if (!is_ordinary || step.prepared || !instruction.CalledComputations().empty()) return false;
  return std::ranges::none_of(step.operands, [&](const PlanStep::Operand& operand) {
    const Shape& shape = steps[operand.slot].instruction->shape;
    if (!shape.IsArray() || shape.IsDynamic()) return true;
    if (BytesOfArray(shape) < bytes) return false;
    return !step.kernel || (operand.is_last_use && !IsHeld(steps[operand.slot], holds_parameters));
  });
}

}  // namespace

std::int64_t LeastArrayBytes(const ComputationPlan& plan, bool holds_parameters) {
  const std::vector<PlanStep>& steps = plan.steps();
  std::vector<std::int64_t> live(steps.size());  // by slot; each step has its own
  std::int64_t now = 0, most = 0;
  for (const PlanStep& step : steps) {
    const std::int64_t bytes = BytesOfArray(step.instruction->shape);
    const bool is_argument = step.instruction->op->role == OpRole::kParameter && holds_parameters;
    if (is_argument || (bytes > 0 && NeedsBuffer(step, steps, bytes, holds_parameters))) live[step.slot] = bytes;
    now = SumOf(now, live[step.slot]);
    most = std::max(most, now);
    for (const PlanStep::Operand& operand : step.operands) {
      if (!operand.is_last_use || IsHeld(steps[operand.slot], holds_parameters)) continue;
      now -= now == INT64_MAX ? 0 : live[operand.slot];
      live[operand.slot] = 0;
    }
  }
  return most;
}

void CheckRoomFor(std::int64_t bytes) {
  if (bytes >= kChecked) MemoryUse::CheckRoomForArrays(bytes);
}

void CheckRoomForEntry(const HloModule& module) {
  std::int64_t all = 0;
  for (const auto& instruction : module.entry->instructions) all = SumOf(all, BytesOfArray(instruction->shape));
  if (all < kChecked) return;  // most modules need no plan here
  const Result<std::int64_t> least = WithoutThrowing([&]() -> Result<std::int64_t> {
    return LeastArrayBytes(PlanSet(module, {}).Of(*module.entry), /*holds_parameters=*/true);
  });
  if (least) CheckRoomFor(*least);
}

}  // namespace assay
