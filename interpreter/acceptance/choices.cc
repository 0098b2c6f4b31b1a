#include "interpreter/acceptance/choices.h"

#include <algorithm>

#include "interpreter/acceptance/find_before.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

// Returns the instruction whose result, or an element of it, a value is.
const HloInstruction& WholeOf(const HloInstruction& value) {
  return value.op->role == OpRole::kGetTupleElement ? *value.operands[0] : value;
}

// Returns the part of the whole result that a value is.
const Literal& PartOf(const HloInstruction& value, const Literal& whole) {
  return value.op->role == OpRole::kGetTupleElement ? whole.elements()[value.tuple_index()] : whole;
}
Literal& PartOf(const HloInstruction& value, Literal& whole) {
  return value.op->role == OpRole::kGetTupleElement ? whole.mutable_elements()[value.tuple_index()] : whole;
}

}  // namespace

void Choices::Add(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& result,
                  bool is_sampled) {
  made_.try_emplace(&instruction, Made{{operands.begin(), operands.end()}, result, is_sampled});
}

std::optional<Judgement> Choices::JudgeChoice(const OutputPath& output, const Literal& got) const {
  const HloInstruction& instruction = WholeOf(Producer(output));
  const auto made = made_.find(&instruction);
  if (devices_ > 1 || made == made_.end()) return std::nullopt;
  if (std::ranges::any_of(instruction.operands, IsChosen())) return std::nullopt;
  const auto& [operands, result, is_sampled] = made->second;
  Literal chosen = result;  // with the parts that are outputs of the backend in place of the reference's
  const HloInstruction& root = *module_.entry->root;
  const auto put = [&](const HloInstruction& value, const Literal& want, const Literal& of_backend) {
    const HloInstruction& source = Source(value, want);
    if (&WholeOf(source) == &instruction) PartOf(source, chosen) = of_backend;
  };
  if (root.op->role != OpRole::kTuple) put(root, want_, got);
  for (std::size_t i = 0; root.op->role == OpRole::kTuple && i < root.operands.size(); ++i) {
    put(*root.operands[i], want_.elements()[i], got.elements()[i]);
  }
  return JudgeInstruction(instruction, operands, result, chosen, profile_);
}

bool Choices::IsUpToSigns(const OutputPath& output, bool (*has_one_result)(const HloInstruction&)) const {
  return devices_ == 1 && FindBefore(output) == nullptr && IsUpToSigns(Producer(output), has_one_result);
}

bool Choices::IsUpToSigns(const HloInstruction& value, bool (*has_one_result)(const HloInstruction&)) const {
  const auto is_chosen = IsChosen();
  const HloInstruction& whole = WholeOf(value);
  if (!is_chosen(&value) || made_.contains(&whole)) return true;
  if (whole.op->role == OpRole::kCall && std::ranges::none_of(whole.operands, is_chosen)) {
    const HloInstruction& root = *whole.CalledComputations().front()->root;
    const bool is_element = &whole != &value && root.op->role == OpRole::kTuple;
    return IsUpToSigns(is_element ? *root.operands[value.tuple_index()] : root, has_one_result);
  }
  const OpAcceptance& acceptance = AcceptanceOf(whole);
  if (!acceptance.Has(Trait::kKeepsTerms) && !has_one_result(whole)) return false;
  for (std::size_t i = 0; i < whole.operands.size(); ++i) {
    const bool selects = i < 32 && (acceptance.selectors >> i & 1) != 0;
    if (selects ? is_chosen(whole.operands[i]) : !IsUpToSigns(*whole.operands[i], has_one_result)) return false;
  }
  return true;
}

bool Choices::IsRandom(const OutputPath& output) const {
  const HloInstruction& rng = Producer(output);
  const auto is_given = [](const HloInstruction* operand) {
    return operand->op->role == OpRole::kConstant || operand->op->role == OpRole::kParameter;
  };
  // The parameters of a called computation may be rounded.
  const auto is_rng = [&](const auto& instruction) { return instruction.get() == &rng; };
  return AcceptanceOf(rng).rule == Acceptance::kStatistical && std::ranges::all_of(rng.operands, is_given) &&
         std::ranges::any_of(module_.entry->instructions, is_rng);
}

const HloInstruction& Choices::Producer(const OutputPath& output) const {
  const HloInstruction& root = *module_.entry->root;
  const std::size_t level = devices_ > 1 ? 1 : 0;
  if (root.op->role != OpRole::kTuple || level >= output.size()) return devices_ > 1 ? root : Source(root, want_);
  const HloInstruction& value = *root.operands[output[level]];
  return devices_ > 1 ? value : Source(value, want_.elements()[output[level]]);
}

const HloInstruction& Choices::Source(const HloInstruction& output, const Literal& want) const {
  std::vector<const HloInstruction*> values;
  const HloInstruction& whole = WholeOf(output);
  if (whole.op->role == OpRole::kCall && std::ranges::none_of(whole.operands, IsChosen())) {
    const HloInstruction* const root = whole.CalledComputations().front()->root;
    const bool is_element = &whole != &output && root->op->role == OpRole::kTuple;
    values = {is_element ? root->operands[output.tuple_index()] : root};
  } else if (AcceptanceOf(output).selectors != 0 && AcceptanceOf(output).Has(Trait::kKeepsTerms)) {
    values.assign(output.operands.begin(), output.operands.end());
  }
  for (const HloInstruction* value : values) {
    const HloInstruction& source = Source(*value, want);
    const auto made = made_.find(&WholeOf(source));
    if (made != made_.end() && PartOf(source, made->second.result).BitwiseEqual(want)) return source;
  }
  return output;
}

std::function<bool(const HloInstruction*)> Choices::IsChosen() const {
  return [this](const HloInstruction* value) { return FindBefore(*value, false) || FindBefore(*value, true); };
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
