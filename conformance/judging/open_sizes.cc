#include "conformance/judging/open_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "interpreter/acceptance/find_before.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

bool HoldsRealNumbers(const Shape& shape) {
  if (shape.IsTuple()) return std::ranges::any_of(shape.tuple_shapes(), HoldsRealNumbers);
  return shape.IsArray() && IsInexactType(shape.element_type());
}

bool HasRealNumbers(const HloModule& module) {
  return std::ranges::any_of(module.computations, [](const auto& computation) {
    return std::ranges::any_of(computation->instructions,
                               [](const auto& instruction) { return HoldsRealNumbers(instruction->shape); });
  });
}

// True if a value follows from computed real numbers. Arguments are given, be they integers or real numbers. The
// parameters of a called computation follow from operands of its call; the callers of the value itself are not
// searched.
bool FollowsFromRealNumbers(const HloInstruction& value, const HloModule& module) {
  const bool has_unknown_parameters = value.parent != module.entry && HasRealNumbers(module);
  return FindBefore(value, [&](const HloInstruction& instruction) {
           if (instruction.op->role != OpRole::kParameter) return HoldsRealNumbers(instruction.shape);
           return has_unknown_parameters && instruction.parent == value.parent;
         }) != nullptr;
}

// True if the declared shape has a static dimension that has a run-time size by the operands. XLA accepts
// `s32[4] negate(s32[<=4] x)`; no specification defines which elements count then.
bool HidesSize(const HloInstruction& instruction) {
  const Shape& declared = instruction.shape;
  if (!declared.IsArray() || instruction.op->legality.infer == nullptr) return false;
  const Result<Shape> inferred = instruction.op->legality.infer(instruction);
  if (!inferred || !inferred->IsArray() || inferred->rank() != declared.rank()) return false;
  for (std::int64_t d = 0; d < declared.rank(); ++d) {
    if (inferred->is_dynamic_dimension(d) && !declared.is_dynamic_dimension(d)) return true;
  }
  return false;
}

}  // namespace

bool DoRealNumbersDecideSizes(const HloModule& module) {
  return std::ranges::any_of(module.computations, [&](const auto& computation) {
    return std::ranges::any_of(computation->instructions, [&](const auto& instruction) {
      if (!instruction->shape.IsArray() || !instruction->shape.IsDynamic()) return false;
      return std::ranges::any_of(instruction->operands, [&](const HloInstruction* operand) {
        const bool is_size = operand->shape.IsArray() && IsIntegralType(operand->shape.element_type());
        return is_size && FollowsFromRealNumbers(*operand, module);
      });
    });
  });
}

ModuleReport ConsideringHiddenSizes(const HloModule& module, const Literal& want, const Literal& got,
                                    ModuleReport report) {
  if (report.verdict != Verdict::kFail && report.verdict != Verdict::kSuspect) return report;
  const HloInstruction& root = *module.entry->root;
  const bool has_parts = root.op->role == OpRole::kTuple && module.device_count() == 1;
  const HloInstruction* hiding = nullptr;
  bool is_everywhere = true;
  for (std::size_t i = 0; i < (has_parts ? root.operands.size() : 1); ++i) {
    const Literal &wanted = has_parts ? want.elements()[i] : want, &given = has_parts ? got.elements()[i] : got;
    if (CompareExactly(wanted, given).verdict == Verdict::kExact) continue;
    const HloInstruction* const found = FindBefore(has_parts ? *root.operands[i] : root, HidesSize);
    is_everywhere &= found != nullptr;
    if (found != nullptr) hiding = found;
  }
  if (hiding == nullptr) return report;
  report.verdict = is_everywhere ? Verdict::kSpecGap : Verdict::kWeak;
  report.reason = fmt::format(
      "{} is declared {}, and its operands give it a run-time size: which elements count is not specified{}",
      hiding->name, hiding->shape.ToStringWithoutLayout(),
      is_everywhere ? "" : "; another output differs too: judge it as a module of its own");
  return report;
}

}  // namespace assay
