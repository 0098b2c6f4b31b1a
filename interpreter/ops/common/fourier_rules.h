// The dimensions that an fft transforms, for its legality, its definition and its kernel.
#pragma once

#include <cstdint>
#include <span>

#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"

namespace assay {

// Returns the innermost dimensions of the operand's or the result's shape, one for each length.
std::span<const std::int64_t> TransformedDimensions(const HloInstruction& fft, const Shape& shape);

// Checks that the transformed dimensions of the operand are the lengths; the last one of IRFFT is length / 2 + 1. This
// is the legality of RFFT and IRFFT.
Status CheckTransformedDimensions(const HloInstruction& fft);
// Does the same during evaluation: FFT and IFFT are legal with any lengths, and the run-time sizes of an IRFFT may not
// fit. Throws EvaluationError (kUnsupported).
void CheckRunTimeLengths(const HloInstruction& fft);

}  // namespace assay
