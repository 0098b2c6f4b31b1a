#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/common/sum_algorithms.h"
#include "interpreter/acceptance/ops/common/sum_terms.h"
#include "interpreter/acceptance/ops/records.h"
#include "interpreter/hlo/attributes.h"
#include "interpreter/types/primitive_type.h"

namespace assay {
namespace {

// Marks the weights that are not finite.
std::vector<bool> WeightsNotFinite(const Literal& kernel) {
  const Literal numbers = NumbersOf(kernel);
  const int parts = ComponentCount(kernel.element_type());
  const auto* const number = reinterpret_cast<const double*>(numbers.data());
  std::vector<bool> marks(kernel.element_count());
  for (std::int64_t i = 0; i < kernel.element_count() * parts; ++i) {
    if (!std::isfinite(number[i])) marks[i / parts] = true;
  }
  return marks;
}

// Returns the index of an element along a dimension.
std::int64_t IndexAlong(const Shape& shape, std::int64_t dimension, std::int64_t element) {
  for (std::int64_t d = shape.rank() - 1; d > dimension; --d) element /= shape.dimensions(d);
  return element % shape.dimensions(dimension);
}

// Selects elements of which a weight that is not finite meets padding or a hole. StableHLO fills these with zeros and
// multiplies, which gives NaN; XLA's text skips them.
ElementTest PaddingTimesInfinity(const HloInstruction& convolution, std::span<const Literal> operands) {
  if (!IsInexactType(convolution.shape.element_type())) return nullptr;
  const std::optional<SumTerms> products = SumTerms::Of(convolution, operands);
  std::vector<bool> marks = WeightsNotFinite(operands[1]);
  if (!products || std::ranges::find(marks, true) == marks.end()) return nullptr;
  const auto& numbers = *convolution.Find<ConvolutionDimensionNumbers>("dim_labels");
  const Shape& kernel = operands[1].shape();
  std::vector<std::int64_t> counts(kernel.dimensions(numbers.kernel_output_feature_dimension));
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const auto element = static_cast<std::int64_t>(i);
    if (marks[i]) ++counts[IndexAlong(kernel, numbers.kernel_output_feature_dimension, element)];
  }
  return [=, &convolution, &numbers, products = *products, marks = std::move(marks)](std::int64_t element) {
    std::vector<Term> terms;
    products.At(element, terms);
    const auto met = std::ranges::count_if(terms, [&](const Term& term) { return marks[term.rhs]; });
    return met < counts[IndexAlong(convolution.shape, numbers.output_feature_dimension, element)];
  };
}

// Implements SpecificationGap::implementation_defined.
ElementTest OpenElementsOfConvolution(const HloInstruction& convolution, std::span<const Literal> operands,
                                      std::size_t leaf) {
  ElementTest other_kinds = SumsOfOtherKinds(convolution, operands, leaf);
  return other_kinds ? other_kinds : PaddingTimesInfinity(convolution, operands);
}

}  // namespace

const OpAcceptance acceptance_convolution = {.op = &op_convolution,
                                             .rule = Acceptance::kSum,
                                             .facts = SumAlgorithmOf,
                                             .terms = SumTerms::OfConvolution,
                                             .gap = {.implementation_defined = OpenElementsOfConvolution},
                                             .image = BilinearImage};

}  // namespace assay
