// Combines the elements of scatter's updates into an operand.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "interpreter/hlo/op.h"
#include "interpreter/types/literal.h"

namespace assay {

// Equal boxes of the updates, each with its place in the operand. Offsets and strides count elements.
struct ScatterWindows {
  struct Offsets {
    std::int64_t operand = 0;
    std::int64_t update = 0;
  };
  Dimensions sizes;
  std::vector<std::int64_t> operand_strides;
  std::vector<std::int64_t> update_strides;
  std::vector<Offsets> offsets;  // all windows are inside the operand
};

// Overwrites the windows in order: later ones replace earlier ones.
void OverwriteWindows(const ScatterWindows& windows, const Literal& update, Literal& result);

// Applies results = combiner(results..., updates...) to every element of every window. The updates of one element are
// in the order of their windows. For an exact sum (ops/common/fold_rules.h) each element of a result is the sum of its
// own value and all its updates, rounded once.
void CombineWindows(ScatterWindows windows, bool is_exact_sum, const ScalarFunction& combiner,
                    const std::vector<Literal>& updates, std::vector<Literal>& results);

}  // namespace assay
