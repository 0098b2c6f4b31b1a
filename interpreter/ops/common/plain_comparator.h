// Comparators of sort that compare one operand.
#pragma once

#include <cstddef>
#include <optional>

#include "interpreter/hlo/module.h"

namespace assay {

// A comparator that compares one operand's pair of parameters, which orders it ascending or descending.
struct PlainComparator {
  std::size_t parameter;  // one of the pair
  bool descending;
  bool total_order;
};

std::optional<PlainComparator> PlainComparatorOf(const HloComputation& comparator);

}  // namespace assay
