#include "interpreter/acceptance/sets/other_orders.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

#include "interpreter/acceptance/ops/common/sum_terms.h"
#include "interpreter/evaluator/run_time_sizes.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

constexpr std::int64_t kMostRotations = 16;

// Returns which of `count` elements has place `place` in an order.
std::int64_t ElementInOrder(std::int64_t order, std::int64_t place, std::int64_t count) {
  if (order == 0) return count - 1 - place;
  const std::int64_t evens = (count + 1) / 2, rotation = order - 1;
  if (order == 1) return place < evens ? 2 * place : 2 * (place - evens) + 1;
  return (place + (count <= kMostRotations ? rotation : rotation * count / kMostRotations)) % count;
}

// The offsets of the elements that each result combines.
using Rows = std::vector<std::vector<std::int64_t>>;

// Returns nothing if an element belongs to several results.
Rows RowsOf(const SumTerms& places, std::int64_t results, std::int64_t elements) {
  Rows rows(results);
  std::vector<bool> is_taken(elements);
  std::vector<Term> terms;
  for (std::int64_t i = 0; i < results; ++i) {
    places.At(i, terms);
    for (const Term& term : terms) {
      if (term.lhs == Term::kNone) continue;
      if (is_taken[term.lhs]) return {};
      is_taken[term.lhs] = true;
      rows[i].push_back(term.lhs);
    }
  }
  return rows;
}

void Reorder(const Rows& rows, std::int64_t order, const Literal& from, Literal& to) {
  const std::int64_t bytes = StorageBytes(from.element_type());
  for (const std::vector<std::int64_t>& row : rows) {
    for (std::int64_t place = 0; place < std::ssize(row); ++place) {
      const std::int64_t element = row[ElementInOrder(order, place, std::ssize(row))];
      std::memcpy(to.mutable_data() + row[place] * bytes, from.data() + element * bytes, bytes);
    }
  }
}

}  // namespace

bool FoldsInSteps(const JudgedInstruction& judged) {
  const Acceptance rule = judged.rule.acceptance;
  return rule != Acceptance::kSum && rule != Acceptance::kProduct &&
         AcceptanceOf(judged.instruction).Has(Trait::kFolds) &&
         std::ranges::any_of(judged.instruction.CalledComputations(),
                             [](const HloComputation* called) { return FoldedOpOf(*called) == nullptr; });
}

bool AnyOtherOrder(const HloInstruction& fold, std::span<const Literal> operands,
                   const std::function<bool(std::vector<Literal>)>& test) {
  constexpr std::int64_t kMostMoves = 1 << 20;
  const std::optional<SumTerms> places = HasRunTimeSizes(operands) ? std::nullopt : SumTerms::Of(fold, operands);
  if (!places) return false;
  const std::size_t first = places->lhs_operand(), arrays = operands.size() / 2;
  const Shape& result = fold.shape.IsTuple() ? fold.shape.tuple_shapes(0) : fold.shape;
  const std::int64_t elements = operands[first].element_count();
  const Rows rows = RowsOf(*places, ShapeUtil::ElementsIn(result), elements);
  std::int64_t longest = 0;
  for (const std::vector<std::int64_t>& row : rows) longest = std::max(longest, std::ssize(row));
  if (longest < 2) return false;
  const std::int64_t most = longest == 2 ? 1 : std::min(longest, kMostRotations) + 1;
  const std::int64_t orders = std::clamp<std::int64_t>(kMostMoves / elements, 1, most);
  for (std::int64_t order = 0; order < orders; ++order) {
    std::vector<Literal> reordered(operands.begin(), operands.end());
    for (std::size_t k = first; k < first + arrays; ++k) Reorder(rows, order, operands[k], reordered[k]);
    if (test(std::move(reordered))) return true;
  }
  return false;
}

}  // namespace assay
