// Mutations of the arguments and constants of the entry.
#include "fuzz/generate/values.h"

#include <algorithm>
#include <cstring>

#include "fuzz/mutations/mutation.h"
#include "interpreter/hlo/op.h"

namespace assay {
using namespace generate;
namespace {

// Returns an argument or constant of the entry that `fits`; null if there is none.
template <class Fits>
HloInstruction* AnySource(ProgramMutant& mutant, const Fits& fits) {
  std::vector<HloInstruction*> sources;
  for (const auto& instruction : mutant.candidate.module->entry->instructions) {
    const bool is_source = instruction->op->role == OpRole::kParameter || instruction->literal;
    if (!is_source || !instruction->shape.IsFixedArray()) continue;
    if (fits(instruction->shape.element_type())) sources.push_back(instruction.get());
  }
  return sources.empty() ? nullptr : mutant.random.OneOf(sources);
}

// Replaces the value of a source by draw(), on each device.
template <class Draw>
void Replace(ProgramMutant& mutant, HloInstruction& source, const Draw& draw) {
  if (source.literal) {
    source.literal = draw();
    return;
  }
  for (std::size_t device = 0; device < mutant.candidate.arguments.size(); ++device) {
    mutant.candidate.ArgumentOf(source, device) = draw();
  }
}

Applied OtherReals(ProgramMutant& mutant) {
  HloInstruction* const source = AnySource(
      mutant, [](PrimitiveType type) { return IsFloatingPointType(type) || IsComplexType(type) || type == PRED; });
  if (source == nullptr) return Applied::kNowhere;
  const EdgeClass edge_class = mutant.random.OneOf(AllEdgeClasses());
  Replace(mutant, *source, [&] { return DrawValue(mutant.random, source->shape, edge_class); });
  return Applied::kYes;
}

// Integers may be indices or bounds of loops, so they become small, some of them out of range.
Applied OtherIntegers(ProgramMutant& mutant) {
  HloInstruction* const source = AnySource(mutant, IsIntegralType);
  if (source == nullptr) return Applied::kNowhere;
  const std::int64_t limit = mutant.random.Between(1, 16);
  Replace(mutant, *source, [&] { return DrawIndices(mutant.random, source->shape, limit); });
  return Applied::kYes;
}

constexpr Mutation kOfValues[] = {
    {"other-reals", OtherReals},
    {"other-integers", OtherIntegers},
};

}  // namespace

std::span<const Mutation> MutationsOfValues() { return kOfValues; }

}  // namespace assay
