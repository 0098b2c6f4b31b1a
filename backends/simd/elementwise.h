// Element-wise arithmetic for which the evaluator's loops do not reach memory speed: types that it computes in wider
// ones (bf16, f16, integers other than s32, s64 and u64), and loops that the compiler does not vectorize. The bits are
// the same.
#pragma once

#include "backends/simd/kernels.h"

namespace assay::simd {

extern const Family kArithmetic;

// The offsets, by element, of neighbors in an array and of as many updates.
struct RunStart {
  std::int64_t to, from;
};

// Combines each run of `elements` neighbors with its updates, in the order of the runs.
using FoldRuns = void (*)(std::byte* array, const std::byte* updates, std::span<const RunStart> runs,
                          std::int64_t elements);

// Returns the function for a computation that FoldingKernel accepts; null for any other one.
FoldRuns FoldRunsOf(const HloComputation& computation, PrimitiveType type);

// Conversions between f32 and narrower floats, from small integers, and between f32 and s32.
extern const Family kConversions;

// Convert of convert.h, by the loops of kConversions where there is one.
void ConvertElements(PrimitiveType from, const std::byte* in, PrimitiveType to, std::byte* out, std::int64_t count);

}  // namespace assay::simd
