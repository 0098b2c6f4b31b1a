// The possible orders of rows after a sort with open operands (docs/judging.md#sets-through-programs).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "interpreter/acceptance/ops/op_acceptance.h"

namespace assay {

// The only operand that a comparator reads, and its order.
struct SortKey {
  std::size_t operand;
  bool descending;
  bool total_order;      // of NaNs, too
  bool has_equal_zeros;  // of both signs
};

// Implements OpAcceptance::walk of a sort. Without a key, rows are known to be permuted only: any row may be at any
// place unless the comparator decides between all neighbours.
ValueSet SortedSets(const HloInstruction& sort, std::optional<SortKey> key, std::span<const ValueSet> operands,
                    SetEvaluation& evaluation);

// Tests whether the order of the slice that begins at an element is decided.
using OrderTest = std::function<bool(std::int64_t begin)>;

// Finds the sets of rows that are sorted along a dimension: `rows` has the reference's values, and the sets of slices
// whose order is decided. Without a key of numbers any row may be at any place of another slice.
void FindSortedRows(const HloInstruction& sort, bool is_stable, const std::optional<SortKey>& key,
                    std::span<const ValueSet> operands, std::int64_t dimension, std::vector<ValueSet>& rows,
                    const OrderTest& is_decided = nullptr);

}  // namespace assay
