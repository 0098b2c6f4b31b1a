// Mutations of all shapes of a program: sizes, element types, layouts and other annotations.
#include <algorithm>
#include <set>
#include <utility>

#include "conformance/diagnosis/steps.h"
#include "fuzz/mutations/mutation.h"

namespace assay {
namespace {

template <std::vector<Edit> (*kEdits)(const Subject&, const EvaluationLimits&)>
Applied AnyEdit(ProgramMutant& mutant) {
  // The edits of reduction also produce variants of any module. They are found in a copy, which they then change.
  Subject subject = {std::move(mutant.candidate.module), std::move(mutant.candidate.arguments)};
  const std::vector<Edit> edits = kEdits(subject, {});
  mutant.candidate = Candidate::Of(subject);
  if (edits.empty()) return Applied::kNowhere;
  return mutant.random.OneOf(edits)(mutant.candidate) ? Applied::kYes : Applied::kFailed;
}

// Calls `visit` for every array shape of the instructions.
template <class Visit>
void ForArrays(const HloModule& module, const Visit& visit) {
  const auto walk = [&](const Shape& shape, const auto& self) -> void {
    if (shape.IsArray()) visit(shape);
    for (const Shape& element : shape.tuple_shapes()) self(element, self);
  };
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) walk(instruction->shape, walk);
  }
}

// Returns the elements of all arrays if the dimensions of one size had another size.
double ElementsWith(const HloModule& module, std::int64_t size, std::int64_t now) {
  double elements = 0;
  ForArrays(module, [&](const Shape& array) {
    double of_array = 1;
    for (const std::int64_t d : array.dimensions()) of_array *= static_cast<double>(d == size ? now : d);
    elements += of_array;
  });
  return elements;
}

// Draws another size: that of another dimension, a near one, or one beyond the blocks of kernels.
std::int64_t DrawSize(generate::Random& random, std::int64_t size, const std::vector<std::int64_t>& sizes) {
  constexpr std::int64_t kLarge = 700;
  if (random.OneIn(16)) return 0;
  if (random.OneIn(4)) return random.OneOf(sizes);
  if (random.OneIn(6)) return random.Between(1, kLarge);
  return random.Between(1, std::min(2 * size, size + 8) + 1);
}

// Changes all dimensions of one size to another size.
Applied OtherSize(ProgramMutant& mutant) {
  constexpr double kMostElements = 1 << 16;  // of a program that grows
  const HloModule& module = *mutant.candidate.module;
  std::set<std::int64_t> known;
  ForArrays(module, [&](const Shape& array) { known.insert(array.dimensions().begin(), array.dimensions().end()); });
  if (known.empty()) return Applied::kNowhere;
  const std::vector<std::int64_t> sizes(known.begin(), known.end());
  const std::int64_t size = mutant.random.OneOf(sizes), now = DrawSize(mutant.random, size, sizes);
  const double elements = ElementsWith(module, size, now);
  if (now == size || elements > std::max(kMostElements, ElementsWith(module, size, size))) return Applied::kNowhere;
  return ResizeAll(size, now, mutant.random.Flip())(mutant.candidate) ? Applied::kYes : Applied::kFailed;
}

// Changes one element type to another one everywhere. Integers stay integers: a counter that rounds may never reach its
// limit.
Applied OtherType(ProgramMutant& mutant) {
  std::set<PrimitiveType> types;
  ForArrays(*mutant.candidate.module, [&](const Shape& array) { types.insert(array.element_type()); });
  if (types.empty()) return Applied::kNowhere;
  const PrimitiveType from = mutant.random.OneOf(std::vector(types.begin(), types.end()));
  const PrimitiveType to = mutant.random.OneOf(ArrayTypes());
  if (from == to || from == PRED || to == PRED || IsIntegralType(from) != IsIntegralType(to)) return Applied::kNowhere;
  return RetypeAll(from, to)(mutant.candidate) ? Applied::kYes : Applied::kFailed;
}

constexpr Mutation kOfShapes[] = {
    {"other-size", OtherSize},
    {"smaller-size", AnyEdit<SizeEdits>},
    {"other-type", OtherType},
    {"plain-attribute", AnyEdit<AttributeEdits>},
};

}  // namespace

std::span<const Mutation> MutationsOfShapes() { return kOfShapes; }

}  // namespace assay
