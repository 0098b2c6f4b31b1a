#include "interpreter/acceptance/ops/common/folds_of_one.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "interpreter/acceptance/ops/common/sum_terms.h"
#include "interpreter/acceptance/ops/value_set.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

// Returns the elements; where a window has none, the initial values. The sum of two zeros is the initial one: its sign
// says nothing of the number of terms.
Literal WithoutStarts(const HloInstruction& fold, std::span<Literal> operands, Evaluation&) {
  const std::optional<SumTerms> places = SumTerms::Of(fold, operands);
  const std::size_t n = operands.size() / 2;
  std::vector<Literal> results;
  std::vector<Term> terms;
  for (std::size_t k = 0; k < n; ++k) {
    Literal& result = results.emplace_back(fold.shape.IsTuple() ? fold.shape.tuple_shapes()[k] : fold.shape);
    const std::int64_t bytes = StorageBytes(result.element_type());
    for (std::int64_t i = 0; i < result.element_count(); ++i) {
      places->At(i, terms);
      const auto element = std::ranges::find_if(terms, [](const Term& term) { return term.lhs != Term::kNone; });
      const bool is_start =
          element == terms.end() || (NumberAt(operands[k], element->lhs) == 0 && NumberAt(operands[n + k], 0) == 0);
      const std::byte* const from = is_start ? operands[n + k].data() : operands[k].data() + element->lhs * bytes;
      std::memcpy(result.mutable_data() + i * bytes, from, bytes);
    }
  }
  return fold.shape.IsTuple() ? Literal::MakeTuple(std::move(results)) : std::move(results[0]);
}

}  // namespace

std::span<const EvaluateFunction> ReadingsOfFoldOfOne(const HloInstruction& fold) {
  static constexpr EvaluateFunction kReadings[] = {WithoutStarts};
  const Shape& operand = fold.operand(0).shape;
  const bool has_windows = fold.op->FindAttribute("window") != nullptr;
  const bool is_one =
      has_windows
          ? std::ranges::all_of(fold.window().dimensions, [](const auto& along) { return along.size == 1; })
          : std::ranges::all_of(fold.Int64s("dimensions"), [&](std::int64_t d) { return operand.dimensions(d) == 1; });
  const std::size_t n = fold.operands.size() / 2;
  for (std::size_t k = 0; k < n; ++k) {
    const Shape& result = fold.shape.IsTuple() ? fold.shape.tuple_shapes()[k] : fold.shape;
    const PrimitiveType type = fold.operand(k).shape.element_type();
    if (!is_one || result.element_type() != type || IsComplexType(type)) return {};
  }
  return kReadings;
}

}  // namespace assay
