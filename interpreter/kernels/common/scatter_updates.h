// How scatter combines the elements of updates into an operand.
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
  std::vector<Offsets> offsets;  // all windows lie inside the operand
};

// Later windows replace what earlier ones wrote.
void OverwriteWindows(const ScatterWindows& windows, const Literal& update, Literal& result);

// results = combiner(results..., updates...) at every element of every window. Updates of one element are combined in
// the order of their windows; but where the combiner is one addition of floating or complex numbers, each element of
// the result is the exact sum of the operand's and all its updates, rounded once.
void CombineWindows(ScatterWindows windows, const ScalarFunction& combiner, const std::vector<Literal>& updates,
                    std::vector<Literal>& results);

// Each array by itself: the exact sum of the result's element and all its updates, rounded once.
void AddWindows(ScatterWindows windows, const std::vector<Literal>& updates, std::vector<Literal>& results);

}  // namespace assay
