// The possible orders of rows after a sort with open operands (docs/judging.md#sets-through-programs).
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "interpreter/acceptance/ops/op_acceptance.h"

namespace assay {

// The only operand that a comparator reads, and its order.
struct SortKey {
  std::size_t operand;
  bool descending;
  bool total_order;
};

// Implements OpAcceptance::walk of a sort. Without a key, rows are known to be permuted only: any row may be at any
// place unless the comparator decides between all neighbours.
ValueSet SortedSets(const HloInstruction& sort, const std::optional<SortKey>& key, std::span<const ValueSet> operands,
                    SetEvaluation& evaluation);

}  // namespace assay
