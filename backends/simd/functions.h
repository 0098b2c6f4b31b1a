// The elementary functions, vectorized. Error bounds, on every instruction set: 1 ULP for f32 and 4 ULP for f64.
// Results of narrower types use f32's formulas in f64 and are rounded once.
#pragma once

#include <cstdint>

#include "backends/simd/kernels.h"

namespace assay::simd {

// Operands for which a formula does not hold, with their places in a block.
struct FallbackOperands {
  static constexpr std::int64_t kMost = 1024;
  std::int64_t count = 0;
  std::int64_t places[kMost];
  double a[kMost];
  double b[kMost];
};

// The element type of a block's arrays, and the accuracy of the results.
enum class FunctionElements {
  kF32,
  kNarrowInF64,  // f64 numbers whose results will be rounded to a narrower type
  kF64,
};

// Computes out[i] = f(a[i], b[i]) for n elements, at most FallbackOperands::kMost. Functions of one operand ignore b.
// `out` may be `a` or `b`. The caller computes the elements with fallback operands.
using FunctionBlock = void (*)(FunctionElements elements, const void* a, const void* b, void* out, std::int64_t n,
                               FallbackOperands& fallback);

extern const Family kFunctions;

}  // namespace assay::simd
