#include "fuzz/mutations/mutation.h"

#include <algorithm>
#include <utility>

#include "interpreter/hlo/op.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
using namespace generate;
namespace {

// Draws of one mutation until it applies and the mutant is legal.
constexpr int kTriesOfMutation = 6;

// Returns all computations that the loops of a module run.
std::vector<const HloComputation*> ComputationsInLoops(const HloModule& module) {
  std::vector<const HloComputation*> found;
  const auto add = [&](const HloInstruction& caller) {
    for (const HloComputation* called : caller.CalledComputations()) {
      if (std::ranges::count(found, called) == 0) found.push_back(called);
    }
  };
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      if (instruction->op->name == "while") add(*instruction);
    }
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const auto& instruction : found[i]->instructions) add(*instruction);
  }
  return found;
}

}  // namespace

bool MayCount(const HloInstruction& instruction) {
  const bool is_real = instruction.shape.IsArray() && IsFloatingPointType(instruction.shape.element_type());
  if (is_real || instruction.parent == instruction.parent->module->entry) return false;
  return std::ranges::count(ComputationsInLoops(*instruction.parent->module), instruction.parent) > 0;
}

HloInstruction* Adapted(Site& site, HloInstruction* value, const Shape& shape) {
  if (ShapeUtil::Compatible(value->shape, shape)) return value;
  if (!value->shape.IsFixedArray() || !shape.IsFixedArray()) return nullptr;
  if (value->shape.element_type() != shape.element_type()) {
    value = site.Add("convert", {value}, {}, ShapeUtil::ChangeElementType(value->shape, shape.element_type()));
  }
  if (value->shape.dimensions() == shape.dimensions()) return value;
  const PrimitiveType type = shape.element_type();
  const auto list_of = [&](const Shape& array) { return ShapeUtil::MakeShape(type, {ShapeUtil::ElementsIn(array)}); };
  const bool has_rank = value->shape.rank() == shape.rank();
  const Shape wanted = has_rank ? shape : list_of(shape);
  if (!has_rank && value->shape.rank() != 1) value = site.Add("reshape", {value}, {}, list_of(value->shape));
  PaddingConfig padding;
  for (std::int64_t d = 0; d < wanted.rank(); ++d) {
    padding.push_back({0, wanted.dimensions(d) - value->shape.dimensions(d), 0});
  }
  if (wanted.dimensions() != value->shape.dimensions()) {
    value = site.Add("pad", {value, site.Scalar(type, 0)}, {{"padding", padding}});
  }
  return value->shape.rank() == shape.rank() ? value : site.Add("reshape", {value}, {}, shape);
}

std::vector<Mutation> AllMutations() {
  std::vector<Mutation> all;
  for (const auto some :
       {MutationsOfInstructions(), MutationsOfShapes(), MutationsOfValues(), MutationsOfStructure()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

Mutated Mutate(const Subject& subject, std::span<const NamedSubject> others, Random& random, std::int64_t count) {
  static const std::vector<Mutation> mutations = AllMutations();
  Mutated mutated = {subject, {}};
  for (; count > 0; --count) {
    const Mutation mutation = random.OneOf(mutations);
    for (int i = 0; i < kTriesOfMutation; ++i) {
      ProgramMutant mutant = {Candidate::Of(mutated.subject), random, others};
      // The arrays of a mutant may be larger than the memory.
      const Result<Applied> applied = WithoutThrowing([&]() -> Result<Applied> { return mutation.apply(mutant); });
      if (applied && *applied == Applied::kNowhere) continue;
      const bool is_made = applied && *applied == Applied::kYes;
      std::optional<Subject> legal = is_made ? Finish(std::move(mutant.candidate)) : std::nullopt;
      if (legal) {
        mutated.subject = *std::move(legal);
        mutated.mutations.push_back(mutation.name);
        break;
      }
      ++mutated.refused;
    }
  }
  return mutated;
}

}  // namespace assay
