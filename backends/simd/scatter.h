// Scatter whose combiner is one element-wise instruction.
#pragma once

#include "backends/simd/kernels.h"

namespace assay::simd {

// True for a scatter that reads its updates in the order of their elements. Only dimensions of windows follow those of
// the indices.
bool ReadsRows(const HloInstruction& scatter);

// Returns the function of a fusion whose root is a scatter that reads rows, and which computes the updates alone. None
// for a fusion that computes anything else.
PreparedFunction PrepareScatterOfLine(const HloInstruction& fusion);

extern const Family kScatter;

}  // namespace assay::simd
