// Which rows may stand where after a sort whose operands are open (docs/verdicts.md#sets-through-programs).
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "interpreter/acceptance/ops/op_acceptance.h"

namespace assay {

// The operand that a comparator looks at, if it is one alone, and how it orders it.
struct SortKey {
  std::size_t operand;
  bool descending;
  bool total_order;
};

// OpAcceptance::walk of a sort. Without a key it is only known that rows are permuted, where the comparator does not
// decide between all neighbours.
ValueSet SortedSets(const HloInstruction& sort, const std::optional<SortKey>& key, std::span<const ValueSet> operands,
                    SetEvaluation& evaluation);

}  // namespace assay
