// Comparators of sort that compare one operand.
#pragma once

#include <cstddef>
#include <optional>

#include "interpreter/hlo/module.h"

namespace assay {

// A comparator that compares the two parameters of one operand, in ascending or descending order.
struct PlainComparator {
  std::size_t parameter;  // one of the pair
  bool descending;
  bool total_order;
};

std::optional<PlainComparator> PlainComparatorOf(const HloComputation& comparator);
// Returns the comparator that `compare` would be with two parameters as its operands.
std::optional<PlainComparator> PlainComparatorOf(const HloInstruction& compare, const HloInstruction& lhs,
                                                 const HloInstruction& rhs);

}  // namespace assay
