// The dimensions that an fft transforms, for its legality, its definition and its kernel.
#pragma once

#include <cstdint>
#include <span>

#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"

namespace assay {

// The innermost dimensions of the operand's or the result's shape, one for each length.
std::span<const std::int64_t> TransformedDimensions(const HloInstruction& fft, const Shape& shape);

// The transformed dimensions of the operand must be the lengths; the last one of IRFFT must be half of it and one.
Status CheckTransformedDimensions(const HloInstruction& fft);
// The same at run time. Throws EvaluationError (kUnsupported).
void CheckRunTimeLengths(const HloInstruction& fft);

}  // namespace assay
