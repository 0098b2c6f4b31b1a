// The set of a fold whose reducer selects elements, such as the index of a maximum.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/common/step_sets.h"
#include "interpreter/acceptance/ops/common/sum_terms.h"

namespace assay {
namespace {

// True if a result is one of the parameters of array `k`.
bool IsElementOf(const HloInstruction& result, const HloComputation& reducer, std::size_t k) {
  const auto parameters = reducer.Parameters();
  if (&result == parameters[k] || &result == parameters[parameters.size() / 2 + k]) return true;
  const bool is_select = AcceptanceOf(result).selectors == 1 && result.operands.size() == 3;
  return is_select && IsElementOf(result.operand(1), reducer, k) && IsElementOf(result.operand(2), reducer, k);
}

// Returns the sets of the numbers alone.
std::vector<ValueSet> NumbersAlone(std::span<const ValueSet> operands) {
  std::vector<ValueSet> plain;
  for (const ValueSet& operand : operands) {
    ValueSet& set = plain.emplace_back(ValueSet::Of(operand.value));
    set.open = operand.open;
    set.freedoms = operand.freedoms;
    set.widest = operand.widest;
    set.width = operand.width;
  }
  return plain;
}

std::vector<ValueSet> ArraysOf(ValueSet set) {
  return set.is_tuple ? std::move(set.elements) : std::vector<ValueSet>{std::move(set)};
}

// Applies a reducer to terms one after another.
class FoldOfElements {
 public:
  FoldOfElements(const HloComputation& reducer, std::span<const ValueSet> operands, SetEvaluation& evaluation)
      : reducer_(reducer), sets_(NumbersAlone(operands)), evaluation_(evaluation) {}

  // Returns the set of each array's element.
  std::vector<ValueSet> Of(std::span<const Term> terms) const {
    std::vector<ValueSet> row = RowAt(terms[0]);
    for (const Term& term : terms.subspan(1)) {
      std::ranges::move(RowAt(term), std::back_inserter(row));
      row = ArraysOf(evaluation_.Call(reducer_, std::move(row)));
    }
    return row;
  }

 private:
  // Returns an element of each array, or the initial values.
  std::vector<ValueSet> RowAt(const Term& term) const {
    const std::size_t count = sets_.size() / 2, first = term.lhs == Term::kNone ? count : 0;
    std::vector<ValueSet> row;
    for (std::size_t k = 0; k < count; ++k) {
      const ValueSet& set = sets_[first + k];
      const Steps steps = Steps::ByElement(set.value.shape());
      row.push_back(StepOf(set, steps, std::max(term.lhs, term.rhs), reducer_.Parameters()[k]->shape));
    }
    return row;
  }

  const HloComputation& reducer_;
  const std::vector<ValueSet> sets_;
  SetEvaluation& evaluation_;
};

}  // namespace

bool SelectsFromArray(const HloComputation& reducer, std::size_t k) {
  const HloInstruction& root = *reducer.root;
  const std::size_t count = reducer.Parameters().size() / 2;
  if (root.shape.IsTuple()) return root.operands.size() == count && IsElementOf(root.operand(k), reducer, k);
  return count == 1 && IsElementOf(root, reducer, k);
}

std::optional<ValueSet> SetOfSelectingFold(const HloInstruction& fold, std::span<const ValueSet> operands,
                                           const Literal& value, SetEvaluation& evaluation) {
  const HloComputation& reducer = fold.Computation("to_apply");
  const std::size_t count = operands.size() / 2;
  for (std::size_t k = 0; k < count; ++k) {
    if (!SelectsFromArray(reducer, k)) return std::nullopt;
  }
  const std::vector<ValueSet> values = ArraysOf(ValueSet::Of(value));
  const Steps results = Steps::ByElement(values[0].value.shape());
  const std::optional<SumTerms> places = AcceptanceOf(fold).terms(fold, {}, 0);
  if (!places || results.size * places->LargestCount() > kMostSteps) return std::nullopt;
  const FoldOfElements fold_of(reducer, operands, evaluation);
  std::vector<std::vector<ValueSet>> parts(count);
  std::vector<Term> terms;
  for (std::int64_t i = 0; i < results.size; ++i) {
    places->At(i, terms);
    std::vector<ValueSet> row = fold_of.Of(terms);
    std::ranges::reverse(terms);
    const std::vector<ValueSet> reversed = fold_of.Of(terms);
    for (std::size_t k = 0; k < count; ++k) parts[k].push_back(Hull(row[k], reversed[k], &fold));
  }
  std::vector<ValueSet> joined;
  for (std::size_t k = 0; k < count; ++k) joined.push_back(Joined(values[k].value, results, parts[k]));
  return value.shape().IsTuple() ? ValueSet::Tuple(std::move(joined)) : std::move(joined[0]);
}

}  // namespace assay
