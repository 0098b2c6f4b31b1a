#include "conformance/tracing/own_work.h"

#include <algorithm>

#include "conformance/judging/computation_values.h"
#include "interpreter/hlo/async_pairs.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

bool IsPartOfAsync(const HloInstruction& instruction) {
  const OpRole role = instruction.op->role;
  return role == OpRole::kAsyncStart || role == OpRole::kAsyncUpdate || role == OpRole::kAsyncDone;
}

}  // namespace

void OwnWork::Observe(const ExecutedInstruction& executed) {
  const HloInstruction& instruction = executed.instruction;
  const std::int64_t index = executed_++;
  const std::int64_t device = FlattenedId(executed.device, module_.num_partitions);
  if (!executed.calls.empty()) seen_inside_.insert({device, executed.calls.back().caller});
  const bool was_seen_inside = seen_inside_.erase({device, &instruction}) > 0;
  if (was_seen_inside || !DoesWork(instruction) || IsPartOfAsync(instruction)) return;
  Execution execution = {&instruction,
                         executed.device,
                         {executed.calls.begin(), executed.calls.end()},
                         index,
                         {executed.operands.begin(), executed.operands.end()},
                         executed.result};
  if (StartsPair(*instruction.op)) {
    started_[{device, &instruction}] = std::move(execution.operands);
    return;
  }
  const HloInstruction& start = StartOf(instruction);
  if (&start != &instruction) execution.operands = started_[{device, &start}];
  const bool depends_on_device = start.op->evaluation.depends_on_device || instruction.op->evaluation.depends_on_device;
  const auto is_array = [](const Literal& operand) { return operand.shape().IsArray(); };
  execution.comes_from_outside = depends_on_device && std::ranges::none_of(execution.operands, is_array);
  if (!depends_on_device || module_.device_count() == 1) return take_(std::move(execution));
  std::vector<Execution>& met = meetings_[&instruction];
  met.push_back(std::move(execution));
  if (std::ssize(met) == module_.device_count()) Meet(met);
}

void OwnWork::Meet(std::vector<Execution>& met) {
  std::vector<Literal> operands;
  for (const Execution& one : met) operands.insert(operands.end(), one.operands.begin(), one.operands.end());
  for (Execution& one : met) {
    one.operands = operands;
    take_(std::move(one));
  }
  met.clear();
}

void OwnWork::End() {
  for (auto& [instruction, met] : meetings_) Meet(met);
  meetings_.clear();
  started_.clear();
  seen_inside_.clear();
}

}  // namespace assay
