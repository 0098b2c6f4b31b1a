// The set of a fold whose reducer selects elements, such as the index of a maximum.
#include <algorithm>
#include <memory>
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

 private:
  const HloComputation& reducer_;
  const std::vector<ValueSet> sets_;
  SetEvaluation& evaluation_;
};

// True if a reducer returns either the elements of all arrays that come first, or all others.
bool SelectsTogether(const HloComputation& reducer) {
  const HloInstruction& root = *reducer.root;
  const auto parameters = reducer.Parameters();
  const std::size_t count = parameters.size() / 2;
  if (count == 1) return SelectsFromArray(reducer, 0);
  if (root.operands.size() != count) return false;
  const HloInstruction& first = root.operand(0);
  for (std::size_t k = 0; k < count; ++k) {
    const HloInstruction& one = root.operand(k);
    const bool is_select = AcceptanceOf(one).selectors == 1 && one.operands.size() == 3;
    if (!is_select || &one.operand(0) != &first.operand(0)) return false;
    const bool is_in_order = &first.operand(1) == parameters[0];
    if (&one.operand(is_in_order ? 1 : 2) != parameters[k]) return false;
    if (&one.operand(is_in_order ? 2 : 1) != parameters[count + k]) return false;
  }
  return true;
}

class SelectedElements {
 public:
  SelectedElements(const HloInstruction& fold, const HloComputation& reducer, std::span<const ValueSet> operands,
                   SetEvaluation& evaluation)
      : reducer_(reducer),
        operands_(operands),
        places_(SumTerms::Of(fold, {})),
        fold_of_(reducer, operands, evaluation),
        has_winners_(std::ranges::all_of(operands, &ValueSet::IsDecided) && SelectsTogether(reducer)) {}

  OpenNumbers NumbersOf(std::size_t k, std::int64_t i) {
    const PrimitiveType type = operands_[k].value.element_type();
    if (!places_ || !SelectsFromArray(reducer_, k) || IsComplexType(type)) return {AnyOf(type), {}};
    std::vector<Term> terms;
    places_->At(i, terms);
    if (has_winners_) KeepWinners(terms);
    const ElementReader array(operands_[k]), start(operands_[operands_.size() / 2 + k]);
    std::optional<Reals> others;  // besides zero
    bool has_zero = false, are_decided = true;
    std::vector<double> numbers;
    for (const Term& term : terms) {
      const Reals x = term.lhs == Term::kNone ? start.At(0) : array.At(term.lhs);
      are_decided = are_decided && x.low == x.high && !x.may_be_nan;
      numbers.push_back(x.low);
      const bool is_zero = x.low == 0 && x.high == 0 && !x.may_be_nan;
      has_zero = has_zero || is_zero;
      if (!is_zero) others = others ? Hull(*others, x) : x;
    }
    if (!are_decided) numbers.clear();
    if (!others) return {Reals::Point(0), {}};
    return {has_zero ? OrZero(*others) : *others, std::move(numbers)};
  }

 private:
  bool IsAt(const std::vector<ValueSet>& row, const Term& term) const {
    return std::ranges::equal(row, fold_of_.RowAt(term),
                              [](const ValueSet& a, const ValueSet& b) { return a.value.BitwiseEqual(b.value); });
  }

  bool MayBeat(const Term& term, const Term& other) const {
    const Term in_order[] = {term, other}, in_opposite_order[] = {other, term};
    return IsAt(fold_of_.Of(in_order), term) || IsAt(fold_of_.Of(in_opposite_order), term);
  }

  // Drops elements that no order returns. One that some order returns beats all others, directly or by way of elements
  // that beat them. So it beats the winner of the reference's order, or an element that does, and so on.
  void KeepWinners(std::vector<Term>& terms) {
    const auto count = std::ssize(terms);
    if ((steps_left_ -= 2 * count * count) < 0) return;
    std::int64_t winner = 0;
    for (std::int64_t i = 1; i < count; ++i) {
      const Term pair[] = {terms[winner], terms[i]};
      if (!IsAt(fold_of_.Of(pair), terms[winner])) winner = i;
    }
    std::vector<Term> winners = {terms[winner]};
    terms.erase(terms.begin() + winner);
    for (std::size_t next = 0; next < winners.size(); ++next) {
      const Term loser = winners[next];
      const auto loses = [&](const Term& term) { return !MayBeat(term, loser); };
      const auto rest = std::stable_partition(terms.begin(), terms.end(), loses);
      winners.insert(winners.end(), rest, terms.end());
      terms.erase(rest, terms.end());
    }
    terms = std::move(winners);
  }

  const HloComputation& reducer_;
  const std::span<const ValueSet> operands_;
  const std::optional<SumTerms> places_;
  const FoldOfElements fold_of_;
  const bool has_winners_;
  std::int64_t steps_left_ = kMostSteps;
};

}  // namespace

NumbersInAnyOrder InAnyOrder(const HloInstruction& fold, const HloComputation& reducer,
                             std::span<const ValueSet> operands, SetEvaluation& evaluation) {
  const auto elements = std::make_shared<SelectedElements>(fold, reducer, operands, evaluation);
  return [elements](std::size_t k, std::int64_t i) { return elements->NumbersOf(k, i); };
}

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
