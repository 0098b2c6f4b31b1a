#include "interpreter/numerics/special_patterns.h"

namespace assay {

std::vector<std::uint64_t> SpecialPatterns(const FloatFormat& format) {
  const std::uint64_t one = static_cast<std::uint64_t>(format.bias) << format.mantissa_bits;
  std::vector<std::uint64_t> magnitudes = {0, one, format.max_finite_bits()};
  if (format.has_subnormals) magnitudes.insert(magnitudes.end(), {1, format.mantissa_mask()});
  magnitudes.push_back(format.mantissa_mask() + 1);  // the least normal number
  if (format.has_infinity) magnitudes.push_back(format.overflow_bits(false));
  std::vector<std::uint64_t> patterns;
  for (const std::uint64_t magnitude : magnitudes) {
    patterns.push_back(magnitude);
    if (format.has_sign) patterns.push_back(format.sign_mask() | magnitude);
  }
  if (format.nan != NanEncoding::kNone) patterns.push_back(format.nan_bits(false));
  return patterns;
}

}  // namespace assay
