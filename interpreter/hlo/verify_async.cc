#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "interpreter/hlo/annotation_text.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/verifier_rules.h"

namespace assay {
namespace {

bool IsAsyncRole(OpRole role) { return role == OpRole::kAsyncUpdate || role == OpRole::kAsyncDone; }

// True for transfers, which have a channel and a flag for the host as the other side. A tuple may contain the state of
// a transfer.
bool IsTransfer(const Op& op) { return op.FindAttribute("is_host_transfer") != nullptr; }

bool EndsSomething(const Op& op) {
  static const std::vector<const Op*> ends = [] {
    std::vector<const Op*> found;
    for (const Op* start : AllOps()) {
      if (!start->legality.done.empty()) found.push_back(FindOp(start->legality.done));
    }
    return found;
  }();
  return std::ranges::find(ends, &op) != ends.end();
}

bool IsAsync(const Op& op) {
  return !op.legality.done.empty() || op.role == OpRole::kAsyncStart || IsAsyncRole(op.role) || EndsSomething(op);
}

// Checks that the result of an op with a `done` is used once: by that op or, for a transfer, by a tuple.
void CheckStart(const HloInstruction& start, const std::vector<const HloInstruction*>& users, ErrorList& errors) {
  if (users.size() != 1) {
    errors.Add(start, "{} must be used once, by its {}, found {} uses", start.op->name, start.op->legality.done,
               users.size());
  } else if (users[0]->op->name != start.op->legality.done &&
             !(IsTransfer(*start.op) && users[0]->op->role == OpRole::kTuple)) {
    errors.Add(start, "{} must be used by its {}, found {}", start.op->name, start.op->legality.done,
               users[0]->op->name);
  }
}

void CheckDone(const HloInstruction& done, ErrorList& errors) {
  const HloInstruction& start = done.operand(0);
  if (start.op->legality.done == done.op->name || (IsTransfer(*done.op) && start.op->legality.forwards_operands))
    return;
  errors.Add(done, "operand 0 of {} must be what it ends, found {}", done.op->name, start.op->name);
}

// Checks that an asynchronous value is operand 0 of its update or done, or is passed on. It has exactly one use, or
// none if it is the root.
void CheckAsyncValue(const HloInstruction& value, const std::vector<const HloInstruction*>& users, ErrorList& errors) {
  for (const HloInstruction* user : users) {
    const bool continues =
        IsAsyncRole(user->op->role) && user->operands[0] == &value && std::ranges::count(user->operands, &value) == 1;
    if (!continues && !user->op->legality.forwards_operands) {
      errors.Add(value, "an asynchronous value must be used by its update or done, found {}", user->op->name);
    }
  }
  if (users.size() > 1) {
    errors.Add(value, "an asynchronous value must be used once, found {} uses", users.size());
  } else if (users.empty() && !value.IsRoot()) {
    errors.Add(value, "an asynchronous value must be used by its update or done, found no use");
  }
}

void CheckAsyncSource(const HloInstruction& instruction, ErrorList& errors) {
  const Op& source = *instruction.operand(0).op;
  const bool is_async = source.role == OpRole::kAsyncStart || source.role == OpRole::kAsyncUpdate;
  if (is_async || source.legality.forwards_operands || source.role == OpRole::kParameter) return;
  errors.Add(instruction, "operand 0 of {} must be an asynchronous value, found {}", instruction.op->name, source.name);
}

// Checks the computation of an async-start. On the main thread it must be one instruction on parameters or on elements
// of them, the asynchronous form of its op, except for a group of collectives that run together, or of transfers.
void CheckAsyncComputation(const HloInstruction& start, ErrorList& errors) {
  auto* const* called = start.Find<HloComputation*>("calls");
  if (called == nullptr || (*called)->execution_thread != "main") return;
  if (FrontendAttribute(start, "_collectives_group")) return;
  bool is_one_instruction = true;
  bool has_transfers_only = true;
  for (const auto& instruction : (*called)->instructions) {
    const OpRole role = instruction->op->role;
    if (role == OpRole::kParameter) continue;
    is_one_instruction &= instruction->IsRoot() || role == OpRole::kGetTupleElement;
    has_transfers_only &= IsTransfer(*instruction->op) || role == OpRole::kTuple || role == OpRole::kGetTupleElement;
  }
  if (is_one_instruction || has_transfers_only) return;
  errors.Add(start, "an asynchronous computation on the main thread must be one instruction on parameters, found {}",
             (*called)->name);
}

}  // namespace

Users UsersOf(const HloComputation& computation) {
  Users users;
  for (const auto& instruction : computation.instructions) {
    for (const HloInstruction* operand : instruction->operands) users[operand].push_back(instruction.get());
  }
  return users;
}

void CheckAsyncPairs(const HloModule& module, ErrorList& errors) {
  for (const auto& computation : module.computations) {
    Users users;
    bool has_users = false;
    for (const auto& instruction : computation->instructions) {
      const Op& op = *instruction->op;
      if (!IsAsync(op)) continue;
      if (!std::exchange(has_users, true)) users = UsersOf(*computation);
      if (!op.legality.done.empty()) CheckStart(*instruction, users[instruction.get()], errors);
      if (EndsSomething(op)) CheckDone(*instruction, errors);
      if (op.role == OpRole::kAsyncStart || op.role == OpRole::kAsyncUpdate) {
        CheckAsyncValue(*instruction, users[instruction.get()], errors);
      }
      if (op.role == OpRole::kAsyncStart) CheckAsyncComputation(*instruction, errors);
      if (IsAsyncRole(op.role)) CheckAsyncSource(*instruction, errors);
    }
  }
}

void CheckChannels(const HloModule& module, ErrorList& errors) {
  // The first host transfer of each channel and op.
  std::map<std::pair<std::int64_t, const Op*>, const HloInstruction*> host_transfers;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      if (!IsTransfer(*instruction->op)) continue;
      const bool is_host_transfer = instruction->Bool("is_host_transfer");
      if (!instruction->operands.empty() && instruction->operand(0).op->legality.done == instruction->op->name) {
        const HloInstruction& start = instruction->operand(0);
        if (start.Int64("channel_id") != instruction->Int64("channel_id")) {
          errors.Add(*instruction, "channel_id must be that of {}, {}, found {}", start.name, start.Int64("channel_id"),
                     instruction->Int64("channel_id"));
        }
        if (start.Bool("is_host_transfer") != is_host_transfer) {
          errors.Add(*instruction, "is_host_transfer must be that of {}", start.name);
        }
      }
      if (!is_host_transfer || !instruction->Has("channel_id")) continue;
      const auto [it, is_first] =
          host_transfers.try_emplace({instruction->Int64("channel_id"), instruction->op}, instruction.get());
      if (!is_first && !ShapeUtil::Compatible(it->second->shape, instruction->shape)) {
        errors.Add(*instruction, "host transfers on channel {} must be alike, {} has the shape {}, found {}",
                   instruction->Int64("channel_id"), it->second->name, it->second->shape.ToStringWithoutLayout(),
                   instruction->shape.ToStringWithoutLayout());
      }
    }
  }
}

}  // namespace assay
