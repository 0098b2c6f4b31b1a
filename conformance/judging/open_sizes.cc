#include "conformance/judging/open_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <unordered_set>
#include <vector>

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

// Searches the producers of a value for real numbers.
bool FollowsFromRealNumbers(const HloInstruction& value, const HloModule& module) {
  std::vector<const HloInstruction*> rest = {&value};
  std::unordered_set<const HloInstruction*> seen;
  while (!rest.empty()) {
    const HloInstruction* const instruction = rest.back();
    rest.pop_back();
    if (!seen.insert(instruction).second) continue;
    const bool is_argument = instruction->op->role == OpRole::kParameter && instruction->parent == module.entry;
    if (is_argument) continue;  // an argument is given, be it an integer or a real number
    if (HoldsRealNumbers(instruction->shape)) return true;
    if (instruction->op->role == OpRole::kParameter && HasRealNumbers(module)) return true;
    rest.insert(rest.end(), instruction->operands.begin(), instruction->operands.end());
  }
  return false;
}

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

// Returns an instruction that a value depends on, or the value itself, whose declared shape has a static dimension that
// has a run-time size by its operands; null if there is none. XLA accepts `s32[4] negate(s32[<=4] x)`; no specification
// defines which elements count then.
const HloInstruction* FindHiddenSize(const HloInstruction& value) {
  std::vector<const HloInstruction*> waiting = {&value};
  std::unordered_set<const HloInstruction*> seen = {&value};
  while (!waiting.empty()) {
    const HloInstruction* const instruction = waiting.back();
    waiting.pop_back();
    if (HidesSize(*instruction)) return instruction;
    std::vector<const HloInstruction*> sources(instruction->operands.begin(), instruction->operands.end());
    for (const HloComputation* called : instruction->CalledComputations()) sources.push_back(called->root);
    for (const HloInstruction* source : sources) {
      if (seen.insert(source).second) waiting.push_back(source);
    }
  }
  return nullptr;
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
  if (report.verdict != Verdict::kFail) return report;
  const HloInstruction& root = *module.entry->root;
  const bool has_parts = root.op->role == OpRole::kTuple && module.device_count() == 1;
  const HloInstruction* hiding = nullptr;
  bool is_everywhere = true;
  for (std::size_t i = 0; i < (has_parts ? root.operands.size() : 1); ++i) {
    const Literal &wanted = has_parts ? want.elements()[i] : want, &given = has_parts ? got.elements()[i] : got;
    if (CompareExactly(wanted, given).verdict == Verdict::kExact) continue;
    const HloInstruction* const found = FindHiddenSize(has_parts ? *root.operands[i] : root);
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
