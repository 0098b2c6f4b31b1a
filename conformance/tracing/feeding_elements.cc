#include "conformance/tracing/feeding_elements.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "conformance/tracing/named_ops.h"
#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/numerics/exact_sum.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

// True if each element of the result comes from one element of each operand.
bool IsElementwiseOn(const HloInstruction& instruction, std::span<const Literal> operands, std::int64_t elements) {
  const auto kernel = instruction.op->evaluation.kernel;
  if (operands.empty() || kernel == nullptr || !kernel(instruction)) return false;
  return std::ranges::all_of(operands, [=](const Literal& operand) {
    return operand.shape().IsArray() && (operand.element_count() == 1 || operand.element_count() == elements);
  });
}

// True for a product of real numbers, and for a reduction of real numbers that adds them.
bool AddsReals(const HloInstruction& instruction, std::span<const Literal> operands, const SumTerms& terms) {
  const auto is_real = [&](std::size_t i) { return IsFloatingPointType(operands[i].element_type()); };
  if (!is_real(terms.lhs_operand()) || !is_real(terms.rhs_operand())) return false;
  const auto called = instruction.CalledComputations();
  if (called.empty()) return true;
  const Op* const folded = FoldedOpOf(*called.front());
  return folded != nullptr && SignOfSecondTerm(*folded) == 1;
}

}  // namespace

FeedingElements::FeedingElements(const HloInstruction& instruction, std::span<const Literal> operands, std::size_t leaf,
                                 std::int64_t elements)
    : instruction_(instruction),
      operands_(operands),
      is_elementwise_(IsElementwiseOn(instruction, operands, elements)) {
  const auto is_whole = [](const Literal& operand) {
    return operand.shape().IsArray() && operand.promise() == nullptr && !operand.has_dynamic_sizes();
  };
  if (is_elementwise_) {
    sign_ = IsInexactType(operands[0].element_type()) ? SignOfSecondTerm(*instruction.op) : 0;
  } else if (std::ranges::all_of(operands, is_whole)) {
    terms_ = SumTerms::Of(instruction, operands, leaf);
    is_sum_ = terms_ && AddsReals(instruction, operands, *terms_);
  }
}

std::int64_t FeedingElements::LargestCount() const {
  return is_elementwise_ ? std::ssize(operands_) : terms_ ? 2 * terms_->LargestCount() : 0;
}

std::vector<OperandElement> FeedingElements::Of(std::int64_t offset) const {
  std::vector<OperandElement> elements;
  if (is_elementwise_) {
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      elements.push_back({i, operands_[i].element_count() == 1 ? 0 : offset});
    }
    return elements;
  }
  std::vector<Term> terms;
  terms_->At(offset, terms);
  for (const Term& term : terms) {
    if (term.lhs != Term::kNone) elements.push_back({terms_->lhs_operand(), term.lhs});
    if (term.rhs != Term::kNone) elements.push_back({terms_->rhs_operand(), term.rhs});
  }
  return elements;
}

double FeedingElements::NumberAt(const OperandElement& element, int part) const {
  const Literal& array = operands_[element.operand];
  return RealValue(ComponentAt(array, element.offset * ComponentCount(array.element_type()) + part));
}

std::optional<FeedingElements::Sum> FeedingElements::SumAt(std::int64_t offset, int part) const {
  if (!AreSummed()) return std::nullopt;
  ExactSum exact;
  Sum sum;
  const auto add = [&](double factor, double other) {
    exact.AddProduct(factor, other);
    sum.largest = std::max(sum.largest, std::fabs(factor * other));
  };
  if (is_elementwise_) {
    const std::vector<OperandElement> elements = Of(offset);
    add(NumberAt(elements[0], part), 1);
    add(NumberAt(elements[1], part), sign_);
  } else {
    std::vector<Term> terms;
    terms_->At(offset, terms);
    const auto factor = [&](std::size_t operand, std::int64_t at) {
      return at == Term::kNone ? 1 : NumberAt({operand, at}, 0);
    };
    for (const Term& term : terms)
      add(factor(terms_->lhs_operand(), term.lhs), factor(terms_->rhs_operand(), term.rhs));
  }
  sum.sum = std::bit_cast<double>(exact.RoundTo(FloatFormatOf(F64)));
  if (!std::isfinite(sum.largest) || !std::isfinite(sum.sum)) return std::nullopt;
  return sum;
}

bool FeedingElements::Sum::Cancels(int bits) const { return largest > std::ldexp(std::fabs(sum), bits); }

}  // namespace assay
