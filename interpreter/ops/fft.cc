#include "interpreter/ops/record.h"

namespace assay {

const Op op_fft = {
    .name = "fft",
    .meaning = "The discrete Fourier transform over the innermost dimensions.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
    .attributes = {OneOf("fft_type", {"FFT", "IFFT", "RFFT", "IRFFT"}, /*required=*/true),
                   Required("fft_length", AttributeKind::kInt64List)},
    .not_evaluated = "its exact value is not implemented",
    .acceptance = Acceptance::kSum,
};

}  // namespace assay
