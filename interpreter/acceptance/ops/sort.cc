#include "interpreter/acceptance/ops/common/sorted_sets.h"
#include "interpreter/acceptance/ops/records.h"
#include "interpreter/ops/common/plain_comparator.h"

namespace assay {
namespace {

RowOrder RowOrderOf(const HloInstruction& sort) {
  return {sort.Int64s("dimensions")[0], sort.Bool("is_stable"), &sort.Computation("to_apply")};
}

ValueSet WalkSort(const HloInstruction& sort, std::span<const ValueSet> operands, SetEvaluation& evaluation) {
  const auto plain = PlainComparatorOf(sort.Computation("to_apply"));
  if (!plain) return SortedSets(sort, std::nullopt, operands, evaluation);
  return SortedSets(sort, SortKey{plain->parameter / 2, plain->descending, plain->total_order}, operands, evaluation);
}

}  // namespace

const OpAcceptance acceptance_sort = {
    .op = &op_sort, .rule = Acceptance::kUnordered, .facts = RowOrderOf, .walk = WalkSort};

}  // namespace assay
