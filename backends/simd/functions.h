// The elementary functions, vectorised. Error bounds, on every instruction set: 1 unit in the last place for f32, 4 for
// f64; results of narrower types are those of f32's formulas, in f64, rounded once.
#pragma once

#include <cstdint>

#include "backends/simd/kernels.h"

namespace assay::simd {

// Operands that a formula does not hold for, with their places in a block.
struct OddOperands {
  static constexpr std::int64_t kMost = 1024;
  std::int64_t count = 0;
  std::int64_t places[kMost];
  double a[kMost];
  double b[kMost];
};

// What a block's arrays hold, and how exact the results must be.
enum class FunctionElements {
  kF32,
  kNarrowInF64,  // f64 numbers whose results will be rounded to a narrower type
  kF64,
};

// out[i] = f(a[i], b[i]) for n elements, at most OddOperands::kMost; functions of one operand do not look at b. `out`
// may be `a` or `b`. Elements with odd operands are left to the caller.
using FunctionBlock = void (*)(FunctionElements elements, const void* a, const void* b, void* out, std::int64_t n,
                               OddOperands& odd);

extern const Family kFunctions;

}  // namespace assay::simd
