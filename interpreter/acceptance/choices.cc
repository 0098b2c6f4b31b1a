#include "interpreter/acceptance/choices.h"

#include <algorithm>

#include "interpreter/acceptance/find_before.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

bool IsElementOf(const HloInstruction& value, const HloInstruction& tuple) {
  return value.op->role == OpRole::kGetTupleElement && value.operands[0] == &tuple;
}

// Returns the result of an instruction with the parts that are outputs of the backend in place of the reference's.
Literal WithOutputs(const HloInstruction& instruction, Literal result, const HloInstruction& root, const Literal& got) {
  const auto put = [&](const HloInstruction& output, const Literal& value) {
    if (&output == &instruction) result = value;
    if (IsElementOf(output, instruction)) result.mutable_elements()[output.tuple_index()] = value;
  };
  if (root.op->role != OpRole::kTuple) put(root, got);
  for (std::size_t i = 0; root.op->role == OpRole::kTuple && i < root.operands.size(); ++i) {
    put(*root.operands[i], got.elements()[i]);
  }
  return result;
}

}  // namespace

void Choices::Add(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& result,
                  bool is_sampled) {
  made_.try_emplace(&instruction, Made{{operands.begin(), operands.end()}, result, is_sampled});
}

std::optional<Judgement> Choices::JudgeChoice(const OutputPath& output, const Literal& got) const {
  const HloInstruction& producer = Producer(output);
  const bool is_element = producer.op->role == OpRole::kGetTupleElement;
  const HloInstruction& instruction = is_element ? *producer.operands[0] : producer;
  const auto made = made_.find(&instruction);
  if (devices_ > 1 || made == made_.end()) return std::nullopt;
  const auto is_chosen = [&](const HloInstruction* operand) {
    return FindBefore(*operand, false) || FindBefore(*operand, true);
  };
  if (std::ranges::any_of(instruction.operands, is_chosen)) return std::nullopt;
  const auto& [operands, result, is_sampled] = made->second;
  const Literal chosen = WithOutputs(instruction, result, *module_.entry->root, got);
  return JudgeInstruction(instruction, operands, result, chosen, profile_);
}

bool Choices::IsRandom(const OutputPath& output) const {
  const HloInstruction& rng = Producer(output);
  const auto is_given = [](const HloInstruction* operand) {
    return operand->op->role == OpRole::kConstant || operand->op->role == OpRole::kParameter;
  };
  return AcceptanceOf(rng).rule == Acceptance::kStatistical && std::ranges::all_of(rng.operands, is_given);
}

const HloInstruction& Choices::Producer(const OutputPath& output) const {
  const HloInstruction& root = *module_.entry->root;
  const std::size_t level = devices_ > 1 ? 1 : 0;
  return root.op->role == OpRole::kTuple && level < output.size() ? *root.operands[output[level]] : root;
}

const HloInstruction* Choices::FindBefore(const OutputPath& output, bool is_sampled) const {
  return FindBefore(Producer(output), is_sampled);
}

const HloInstruction* Choices::FindBefore(const HloInstruction& value, bool is_sampled) const {
  // An instruction that takes a token may give what another device sent.
  const auto takes_token = [](const HloInstruction& instruction) {
    return std::ranges::any_of(instruction.operands, [](const auto* operand) { return operand->shape.IsToken(); });
  };
  const auto may_be_chosen = [&](const HloInstruction& instruction) {
    const auto made = made_.find(&instruction);
    if (made != made_.end()) return made->second.is_sampled == is_sampled;
    return !is_sampled && takes_token(instruction) && !made_.empty();
  };
  return assay::FindBefore(value, may_be_chosen);
}

}  // namespace assay
