// Copies between arrays of numbers and vectors with one number of each of several lines.
#pragma once

#include <cstdint>
#include <span>

#include "interpreter/numerics/lanes.h"

namespace assay {

// Lines of n numbers each: number j of line i is at firsts[i] + j * stride.
struct LineNumbers {
  std::span<const std::int64_t, lanes::kLanes> firsts;
  std::int64_t stride, n;
};

// Copies number j of each line to the vector at `to` + j * step, or back. `step` counts doubles.
void LoadLanes(const double* numbers, const LineNumbers& lines, double* to, std::int64_t step);
void StoreLanes(const double* from, std::int64_t step, const LineNumbers& lines, double* numbers);

}  // namespace assay
