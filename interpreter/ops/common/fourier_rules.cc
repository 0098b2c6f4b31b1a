#include "interpreter/ops/common/fourier_rules.h"

#include <algorithm>
#include <vector>

#include "interpreter/ops/common/legality.h"
#include "interpreter/types/join_text.h"

namespace assay {

std::span<const std::int64_t> TransformedDimensions(const HloInstruction& fft, const Shape& shape) {
  return std::span(shape.dimensions()).last(fft.Int64s("fft_length").size());
}

Status CheckTransformedDimensions(const HloInstruction& fft) {
  const std::string_view fft_type = fft.String("fft_type");
  const std::span<const std::int64_t> lengths = fft.Int64s("fft_length");
  const Shape& operand = fft.operand(0).shape;
  std::vector<std::int64_t> expected(lengths.begin(), lengths.end());
  // IRFFT of length 0 accepts half a spectrum of 1 element or of none, as RFFT returns it.
  const bool is_empty = lengths.back() == 0 && operand.dimensions().back() == 0;
  if (fft_type == "IRFFT" && !is_empty) expected.back() = expected.back() / 2 + 1;
  if (std::ranges::equal(expected, TransformedDimensions(fft, operand))) return {};
  return Illegal(fft, "the innermost dimensions of the operand of {} must be [{}] for fft_length={{{}}}, found {}",
                 fft_type, JoinText(expected, ","), JoinText(lengths, ","), operand.ToStringWithoutLayout());
}

void CheckRunTimeLengths(const HloInstruction& fft) {
  if (const Status lengths = CheckTransformedDimensions(fft); !lengths) {
    throw EvaluationError{{ErrorCode::kUnsupported, lengths.error().message, fft.location}};
  }
}

}  // namespace assay
