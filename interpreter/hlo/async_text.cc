#include "interpreter/hlo/async_text.h"

#include <algorithm>
#include <array>
#include <string>

namespace assay {
namespace {

constexpr std::array<OpRole, 3> kRoles = {OpRole::kAsyncStart, OpRole::kAsyncUpdate, OpRole::kAsyncDone};

bool HasShortForm(const Op& op) {
  if (!AsyncSuffix(op.role).empty()) return false;
  return std::ranges::none_of(
      kRoles, [&](OpRole role) { return FindOp(std::string(op.name) + std::string(AsyncSuffix(role))) != nullptr; });
}

}  // namespace

std::string_view AsyncSuffix(OpRole role) {
  switch (role) {
    case OpRole::kAsyncStart:
      return "-start";
    case OpRole::kAsyncUpdate:
      return "-update";
    case OpRole::kAsyncDone:
      return "-done";
    default:
      return "";
  }
}

AsyncOpcode FindAsyncOpcode(std::string_view opcode) {
  for (const OpRole role : kRoles) {
    const std::string_view suffix = AsyncSuffix(role);
    if (!opcode.ends_with(suffix)) continue;
    const Op* wrapped = FindOp(opcode.substr(0, opcode.size() - suffix.size()));
    if (wrapped == nullptr || !HasShortForm(*wrapped)) return {};
    return {*std::ranges::find(AllOps(), role, &Op::role), wrapped};
  }
  return {};
}

const HloInstruction* WrappedInstruction(const HloComputation& computation) {
  const HloInstruction& root = *computation.root;
  const auto parameters = static_cast<std::int64_t>(root.operands.size());
  if (static_cast<std::int64_t>(computation.instructions.size()) != parameters + 1) return nullptr;
  for (std::int64_t i = 0; i < parameters; ++i) {
    if (root.operand(i).op->role != OpRole::kParameter || root.operand(i).parameter_number != i) return nullptr;
  }
  const bool is_leaf = root.op->role == OpRole::kParameter || root.op->role == OpRole::kConstant;
  return is_leaf || !HasShortForm(*root.op) ? nullptr : &root;
}

const HloInstruction* WrappedInstruction(const HloInstruction& instruction) {
  if (AsyncSuffix(instruction.op->role).empty()) return nullptr;
  const auto* const computation = instruction.Find<HloComputation*>("calls");
  return computation == nullptr ? nullptr : WrappedInstruction(**computation);
}

}  // namespace assay
