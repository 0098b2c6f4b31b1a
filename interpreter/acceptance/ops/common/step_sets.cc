#include "interpreter/acceptance/ops/common/step_sets.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "interpreter/types/index_util.h"

namespace assay {
namespace {

// Copies the elements of one step out of an array.
Literal PartOf(const Literal& array, const Steps& steps, std::int64_t step, const Shape& shape) {
  Literal part(ShapeUtil::ChangeElementType(shape, array.element_type()));
  const std::int64_t bytes = steps.inner * StorageBytes(array.element_type());
  for (std::int64_t o = 0; o < steps.outer; ++o) {
    std::memcpy(part.mutable_data() + o * bytes, array.data() + (o * steps.size + step) * bytes, bytes);
  }
  return part;
}

// Copies the elements of one step into an array.
void SetPart(Literal& array, const Steps& steps, std::int64_t step, const Literal& part) {
  const std::int64_t bytes = steps.inner * StorageBytes(array.element_type());
  for (std::int64_t o = 0; o < steps.outer; ++o) {
    std::memcpy(array.mutable_data() + (o * steps.size + step) * bytes, part.data() + o * bytes, bytes);
  }
}

using Elements = std::shared_ptr<const OpenElements>;

Elements PartOf(const Elements& elements, const Steps& steps, std::int64_t step, const Shape& shape) {
  if (elements == nullptr) return nullptr;
  OpenElements part = {PartOf(elements->low, steps, step, shape), PartOf(elements->high, steps, step, shape),
                       PartOf(elements->state, steps, step, shape)};
  const bool is_open = std::ranges::any_of(part.state.values<std::uint8_t>(), [](std::uint8_t s) { return s != 0; });
  return is_open ? std::make_shared<const OpenElements>(std::move(part)) : nullptr;
}

// Returns the elements of all parts, `of` each; null if none has any.
template <class Of>
Elements JoinedElements(const Literal& value, const Steps& steps, std::span<const ValueSet> parts, const Of& of) {
  if (std::ranges::none_of(parts, [&](const ValueSet& part) { return of(part) != nullptr; })) return nullptr;
  OpenElements all = {NumbersOf(value), NumbersOf(value), Literal(ShapeUtil::ChangeElementType(value.shape(), U8))};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Elements& elements = of(parts[i]);
    if (elements == nullptr) continue;
    const auto step = static_cast<std::int64_t>(i);
    SetPart(all.low, steps, step, elements->low);
    SetPart(all.high, steps, step, elements->high);
    SetPart(all.state, steps, step, elements->state);
  }
  return std::make_shared<const OpenElements>(std::move(all));
}

}  // namespace

Steps Steps::Along(const Shape& shape, std::int64_t dimension) {
  const std::span dimensions(shape.dimensions());
  return {Product(dimensions.first(dimension)), dimensions[dimension], Product(dimensions.subspan(dimension + 1))};
}

Steps Steps::ByElement(const Shape& shape) { return {1, Product(std::span(shape.dimensions())), 1}; }

bool HasParts(const ValueSet& set) {
  if (set.is_tuple) return std::ranges::all_of(set.elements, HasParts);
  return set.terms == nullptr && set.term_count == 1 && set.value.shape().IsArray();
}

ValueSet StepOf(const ValueSet& set, const Steps& steps, std::int64_t step, const Shape& shape) {
  ValueSet part = ValueSet::Of(PartOf(set.value, steps, step, shape));
  part.open = PartOf(set.open, steps, step, shape);
  part.as_term = PartOf(set.as_term, steps, step, shape);
  part.freedoms = set.freedoms;
  part.widest = set.widest;
  part.factor_count = set.factor_count;
  part.width = set.width;
  return part;
}

ValueSet Joined(const Literal& value, const Steps& steps, std::span<const ValueSet> parts) {
  ValueSet set = ValueSet::Of(value);
  set.open = JoinedElements(value, steps, parts, [](const ValueSet& part) { return part.open; });
  // A part without terms of its own has its numbers as terms.
  const bool has_terms = std::ranges::any_of(parts, [](const ValueSet& part) { return part.as_term != nullptr; });
  if (has_terms) {
    set.as_term = JoinedElements(
        value, steps, parts, [](const ValueSet& part) { return part.as_term != nullptr ? part.as_term : part.open; });
  }
  for (const ValueSet& part : parts) {
    set.freedoms |= part.freedoms;
    set.factor_count = std::max(set.factor_count, part.factor_count);
    if (part.open && part.width >= set.width) {
      set.width = part.width;
      set.widest = part.widest;
    }
  }
  return set;
}

}  // namespace assay
