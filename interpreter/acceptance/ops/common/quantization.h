// Quantized arrays in HLO: StableHLO's uniform_quantize and uniform_dequantize as they are lowered
// (docs/quantized.md), and the errors of kernels that compute with the integers.
#pragma once

#include <cmath>
#include <optional>

#include "interpreter/hlo/module.h"

namespace assay {

// True if an array of reals holds dequantized integers, (q - zero point) * scale, or follows from such arrays and
// constants alone. Kernels of integers compute its numbers without rounding.
bool IsDequantized(const HloInstruction& instruction);

// The largest error of a number before the rounding to the integer that represents it, in units of that integer.
struct FixedPointError {
  double absolute;    // of a first rounding, to the multiples of a power of two
  double relative;    // of the multiplier
  double zero_point;  // the largest magnitude: the error of the multiplier precedes the addition
  double At(double number) const { return absolute + relative * (std::fabs(number) + zero_point); }
};

// Returns the error of the numbers that a quantization is about to round: of clamp(x / scale + zero point). Nullopt for
// another instruction.
std::optional<FixedPointError> FixedPointErrorOf(const HloInstruction& clamp);

}  // namespace assay
