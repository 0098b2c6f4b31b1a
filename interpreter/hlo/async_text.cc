#include "interpreter/hlo/async_text.h"

#include <algorithm>
#include <array>
#include <string>

#include "interpreter/hlo/async_pairs.h"

namespace assay {
namespace {

constexpr std::array<OpRole, 3> kRoles = {OpRole::kAsyncStart, OpRole::kAsyncUpdate, OpRole::kAsyncDone};

bool HasShortForm(const Op& op) {
  if (!AsyncSuffix(op.role).empty()) return false;
  return std::ranges::none_of(
      kRoles, [&](OpRole role) { return FindOp(std::string(op.name) + std::string(AsyncSuffix(role))) != nullptr; });
}

// True if parsing X-start for this X rebuilds the same computation.
bool SaysAll(const HloInstruction& instruction, const HloInstruction& wrapped) {
  const HloInstruction* start = &instruction;
  while (start->op->role == OpRole::kAsyncUpdate || start->op->role == OpRole::kAsyncDone) start = start->operands[0];
  // The attributes of X-start are those of X.
  if (start->Has("output_to_operand_aliasing")) return false;
  const bool is_leaf = wrapped.op->role == OpRole::kParameter || wrapped.op->role == OpRole::kConstant;
  if (is_leaf || !HasShortForm(*wrapped.op) || !wrapped.control_predecessors.empty()) return false;
  const auto parameters = static_cast<std::int64_t>(wrapped.operands.size());
  // X-start has the operands of X; an update may bind some of them later.
  if (std::ssize(start->operands) != parameters) return false;
  if (static_cast<std::int64_t>(wrapped.parent->instructions.size()) != parameters + 1) return false;
  for (std::int64_t i = 0; i < parameters; ++i) {
    if (wrapped.operand(i).op->role != OpRole::kParameter || wrapped.operand(i).parameter_number != i) return false;
  }
  // The start passes its annotations on to X, except the sharding; the short form does not have X's own.
  return std::ranges::all_of(wrapped.annotations, [&](const auto& annotation) {
    const auto& [name, text] = annotation;
    if (name == "sharding") return false;
    const auto found = start->annotations.find(name);
    return found != start->annotations.end() && found->second == text;
  });
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
    return {OpWithRole(role), wrapped};
  }
  return {};
}

AsyncOpcode AsyncFormOf(const Op& start, const Shape& shape) {
  const bool has_form = StartsPair(start) && shape.IsTuple() && shape.tuple_shapes().size() >= 2 &&
                        shape.tuple_shapes(0).IsTuple() && !shape.tuple_shapes(1).IsTuple();
  if (!has_form) return {};
  return {OpWithRole(OpRole::kAsyncStart), SynchronousOp(start)};
}

bool EndsAsyncForm(const HloInstruction& instruction) {
  if (instruction.operands.size() != 1 || instruction.op->role != OpRole::kOrdinary) return false;
  const auto* computation = instruction.operand(0).Find<HloComputation*>("calls");
  const OpRole role = instruction.operand(0).op->role;
  if (computation == nullptr || (role != OpRole::kAsyncStart && role != OpRole::kAsyncUpdate)) return false;
  return instruction.op->name ==
         std::string((*computation)->root->op->name) + std::string(AsyncSuffix(OpRole::kAsyncDone));
}

const HloInstruction* WrappedInstruction(const HloInstruction& instruction, ShortForm form) {
  if (AsyncSuffix(instruction.op->role).empty()) return nullptr;
  const auto* const computation = instruction.Find<HloComputation*>("calls");
  if (computation == nullptr) return nullptr;
  const HloInstruction& root = *(*computation)->root;
  const bool is_alone = std::ranges::all_of((*computation)->instructions, [&](const auto& inner) {
    return inner.get() == &root || inner->op->role == OpRole::kParameter;
  });
  return is_alone && (form == ShortForm::kXla || SaysAll(instruction, root)) ? &root : nullptr;
}

}  // namespace assay
