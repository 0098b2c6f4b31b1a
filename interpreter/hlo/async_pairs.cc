#include "interpreter/hlo/async_pairs.h"

#include <algorithm>
#include <string_view>

#include "interpreter/hlo/op.h"

namespace assay {
namespace {

// Returns the synchronous op of a pair; null for transfers, which have none.
const Op* SynchronousOp(const Op& start) {
  constexpr std::string_view kSuffix = "-start";
  const bool has_form = start.name.ends_with(kSuffix);
  return has_form ? FindOp(start.name.substr(0, start.name.size() - kSuffix.size())) : nullptr;
}

// Returns the one instruction on parameters that an async-done completes, or null.
const HloInstruction* WrappedInstruction(const HloInstruction& done) {
  if (done.op->role != OpRole::kAsyncDone) return nullptr;
  const HloComputation* computation = WrappedComputation(done);
  if (computation == nullptr) return nullptr;
  const bool is_one = std::ranges::all_of(computation->instructions, [](const auto& instruction) {
    return instruction->op->role == OpRole::kParameter || instruction->IsRoot();
  });
  return is_one && computation->root->op->role == OpRole::kOrdinary ? computation->root : nullptr;
}

}  // namespace

const HloComputation* WrappedComputation(const HloInstruction& instruction) {
  const HloInstruction* current = &instruction;
  while (true) {
    if (auto* const* computation = current->Find<HloComputation*>("calls")) return *computation;
    const bool continues = current->op->role == OpRole::kAsyncUpdate || current->op->role == OpRole::kAsyncDone;
    if (!continues) return nullptr;
    current = current->operands[0];
  }
}

bool StartsPair(const Op& op) { return !op.legality.done.empty() && SynchronousOp(op) != nullptr; }

const HloInstruction& StartOf(const HloInstruction& instruction) {
  if (instruction.operands.empty()) return instruction;
  const HloInstruction& start = *instruction.operands[0];
  return start.op->legality.done == instruction.op->name && StartsPair(*start.op) ? start : instruction;
}

const HloInstruction& OperandsOwnerOf(const HloInstruction& instruction) {
  const HloInstruction* wrapped = WrappedInstruction(instruction);
  return wrapped != nullptr ? *wrapped : StartOf(instruction);
}

HloInstruction AtOnce(const HloInstruction& instruction) {
  HloInstruction operation = OperandsOwnerOf(instruction);
  if (&StartOf(instruction) == &instruction) return operation;
  operation.op = SynchronousOp(*operation.op);
  operation.name = instruction.name;
  operation.shape = instruction.shape;
  return operation;
}

}  // namespace assay
