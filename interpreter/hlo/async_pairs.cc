#include "interpreter/hlo/async_pairs.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "interpreter/hlo/op.h"

namespace assay {
namespace {

// The way of a value back to the instruction that made it.
class Trace {
 public:
  explicit Trace(const HloModule& module) : module_(module) {}

  // Returns the async-start or async-update that made the element `path` of a value, read from its end; null if none.
  HloInstruction* Producer(HloInstruction* value, std::vector<std::int64_t> path = {}) {
    if (!visited_.insert(value).second) return nullptr;
    const OpRole role = value->op->role;
    if (role == OpRole::kAsyncStart || role == OpRole::kAsyncUpdate) return value;
    if (role == OpRole::kParameter) return OfLoop(*value, std::move(path));
    if (role == OpRole::kTuple && !path.empty()) {
      const auto index = static_cast<std::size_t>(path.back());
      path.pop_back();
      return index < value->operands.size() ? Producer(value->operands[index], std::move(path)) : nullptr;
    }
    if (role == OpRole::kGetTupleElement) path.push_back(value->Int64("index"));
    HloComputation* const* body = value->Find<HloComputation*>("body");
    if (body != nullptr) {
      if (HloInstruction* found = Producer((*body)->root, path)) return found;
    }
    const bool is_passed_on =
        value->op->legality.forwards_operands && (body != nullptr || value->CalledComputations().empty());
    if (!is_passed_on || value->operands.size() != 1) return nullptr;
    return Producer(value->operands[0], std::move(path));
  }

 private:
  // Returns the producer of what a loop's body gets: its start, or what the body returned before.
  HloInstruction* OfLoop(const HloInstruction& parameter, const std::vector<std::int64_t>& path) {
    for (const auto& computation : module_.computations) {
      for (const auto& instruction : computation->instructions) {
        HloComputation* const* body = instruction->Find<HloComputation*>("body");
        if (body == nullptr || *body != parameter.parent) continue;
        if (HloInstruction* found = Producer(instruction->operands[0], path)) return found;
        return Producer((*body)->root, path);
      }
    }
    return nullptr;
  }

  const HloModule& module_;
  std::unordered_set<const HloInstruction*> visited_;
};

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

HloInstruction* ProducerOf(const HloModule& module, const HloInstruction& instruction) {
  return Trace(module).Producer(instruction.operands[0]);
}

void FollowStarts(HloModule& module) {
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      const bool follows = instruction->op->role == OpRole::kAsyncUpdate || instruction->op->role == OpRole::kAsyncDone;
      if (!follows || instruction->Has("calls")) continue;
      const HloInstruction* producer = instruction.get();
      // An update may have no computation yet: it may be in a loop, whose body precedes the start.
      while (producer != nullptr && !producer->Has("calls")) producer = ProducerOf(module, *producer);
      if (producer != nullptr) instruction->Set("calls", &producer->Computation("calls"));
    }
  }
}

const HloComputation* WrappedComputation(const HloInstruction& instruction) {
  const HloInstruction* current = &instruction;
  while (true) {
    if (auto* const* computation = current->Find<HloComputation*>("calls")) return *computation;
    const bool continues = current->op->role == OpRole::kAsyncUpdate || current->op->role == OpRole::kAsyncDone;
    if (!continues) return nullptr;
    current = current->operands[0];
  }
}

const Op* SynchronousOp(const Op& start) {
  constexpr std::string_view kSuffix = "-start";
  const bool has_form = start.name.ends_with(kSuffix);
  return has_form ? FindOp(start.name.substr(0, start.name.size() - kSuffix.size())) : nullptr;
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
