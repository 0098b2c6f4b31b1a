#include "backends/pjrt/device/result_sharding.h"

#include <cstdint>
#include <vector>

#include "interpreter/hlo/op.h"

namespace assay::pjrt {

std::string ShardingText(const HloInstruction& instruction) {
  const auto found = instruction.annotations.find("sharding");
  return found == instruction.annotations.end() ? "" : found->second;
}

namespace {

// A value within nested calls, and the elements of tuples that are still to be taken out of it.
struct Source {
  const HloInstruction* value;
  std::vector<const HloInstruction*> calls = {};
  std::vector<std::int64_t> elements = {};
};

// True if the sharding of a value may follow from another value.
bool Follows(const HloInstruction& value) {
  const OpRole role = value.op->role;
  return value.op->evaluation.kernel != nullptr || role == OpRole::kGetTupleElement || role == OpRole::kCall ||
         role == OpRole::kParameter;
}

// Returns the operand from which an element-wise instruction has its sharding, or null.
const HloInstruction* ShardedOperand(const HloInstruction& instruction) {
  if (instruction.op->evaluation.kernel == nullptr) return nullptr;
  for (const HloInstruction* operand : instruction.operands) {
    const bool has_sizes = operand->shape.IsArray() && operand->shape.dimensions() == instruction.shape.dimensions();
    if (has_sizes && (Follows(*operand) || !ShardingText(*operand).empty())) return operand;
  }
  return nullptr;
}

// Moves to the value from which this one has its sharding. Returns false if there is none.
bool MoveBack(Source& source) {
  const HloInstruction& at = *source.value;
  if (at.op->role == OpRole::kGetTupleElement) {
    source.elements.push_back(at.tuple_index());
    source.value = at.operands[0];
  } else if (at.op->role == OpRole::kTuple && !source.elements.empty()) {
    source.value = at.operands[static_cast<std::size_t>(source.elements.back())];
    source.elements.pop_back();
  } else if (at.op->role == OpRole::kCall) {
    source.calls.push_back(&at);
    source.value = at.CalledComputations()[0]->root;
  } else if (at.op->role == OpRole::kParameter && !source.calls.empty()) {
    source.value = source.calls.back()->operands[static_cast<std::size_t>(at.parameter_number)];
    source.calls.pop_back();
  } else {
    source.value = ShardedOperand(at);
  }
  return source.value != nullptr;
}

}  // namespace

std::string ResultSharding(const HloComputation& entry, std::int64_t index) {
  Source source = {entry.root};
  if (entry.root->shape.IsTuple()) source.elements.push_back(index);
  do {
    const std::string text = ShardingText(*source.value);
    if (!text.empty() && source.elements.empty()) return text;
  } while (MoveBack(source));
  return "";
}

}  // namespace assay::pjrt
