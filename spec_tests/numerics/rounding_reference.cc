#include "spec_tests/numerics/rounding_reference.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "interpreter/numerics/round.h"

namespace assay {

NearestValue::NearestValue(const FloatFormat& format) : format_(format) {
  for (std::uint64_t code = 0; code <= format.max_finite_bits(); ++code) values_.push_back(ToDouble(format, code));
  const double last = values_.back();
  beyond_ = format.mantissa_bits == 0 ? 2 * last : last + (last - values_[values_.size() - 2]);
}

std::uint64_t NearestValue::Round(double value) const {
  const bool negative = std::signbit(value);
  const double magnitude = std::fabs(value);
  if (!format_.has_sign && (negative || value == 0)) return format_.nan_bits(negative);
  const std::uint64_t code = NearestCode(magnitude);
  if (code == values_.size()) return format_.overflow_bits(negative);
  if (code == 0 && !format_.has_negative_zero) return 0;
  return code | (negative ? format_.sign_mask() : 0);
}

std::uint64_t NearestValue::NearestCode(double magnitude) const {
  if (magnitude >= beyond_) return values_.size();
  const auto above = std::upper_bound(values_.begin(), values_.end(), magnitude);
  const auto upper_code = static_cast<std::uint64_t>(above - values_.begin());
  if (upper_code == 0) return 0;
  const double lower = values_[upper_code - 1];
  const double upper = above == values_.end() ? beyond_ : *above;
  // Both differences are exact: the values are few bits apart.
  const double to_lower = magnitude - lower;
  const double to_upper = upper - magnitude;
  if (to_lower != to_upper) return to_lower < to_upper ? upper_code - 1 : upper_code;
  // Without fraction bits every significand is 1. The even one is that of the upper neighbor, 2.
  if (format_.mantissa_bits == 0) return upper_code;
  return upper_code % 2 == 0 ? upper_code : upper_code - 1;
}

std::uint64_t NearestValue::Round(mpfr_srcptr value) const {
  if (mpfr_nan_p(value)) return format_.nan_bits(false);
  // Truncated to 53 bits. An odd last bit represents the rest and distinguishes ties from their neighbors.
  const double cut = mpfr_get_d(value, MPFR_RNDZ);
  const bool exact = mpfr_cmp_d(value, cut) == 0;
  return Round(exact ? cut : std::bit_cast<double>(std::bit_cast<std::uint64_t>(cut) | 1));
}

double RoundedByMpfr(const FloatFormat& format, mpfr_srcptr exact) {
  mpfr_t result;
  mpfr_init2(result, format.precision());
  const mpfr_exp_t emin = mpfr_get_emin();
  const mpfr_exp_t emax = mpfr_get_emax();
  mpfr_set_emin(format.min_exponent() - format.mantissa_bits + 1);
  mpfr_set_emax(format.bias + 1);
  const int ternary = mpfr_set(result, exact, MPFR_RNDN);
  mpfr_subnormalize(result, mpfr_check_range(result, ternary, MPFR_RNDN), MPFR_RNDN);
  const double value = mpfr_get_d(result, MPFR_RNDN);
  mpfr_set_emin(emin);
  mpfr_set_emax(emax);
  mpfr_clear(result);
  return value;
}

std::uint64_t RoundByMpfr(const FloatFormat& format, mpfr_srcptr exact) {
  const double value = RoundedByMpfr(format, exact);
  if (std::isnan(value)) return format.nan_bits(std::signbit(value));
  if (format.type == F64) return std::bit_cast<std::uint64_t>(value);
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

std::vector<std::byte> Store(PrimitiveType type, const std::vector<double>& values) {
  std::vector<std::byte> bytes(values.size() * static_cast<std::size_t>(StorageBytes(type)));
  StoreReals(type, values.data(), bytes.data(), static_cast<std::int64_t>(values.size()));
  return bytes;
}

std::uint64_t StoredCode(PrimitiveType type, const std::vector<std::byte>& bytes, std::size_t i) {
  const auto width = static_cast<std::size_t>(StorageBytes(type));
  std::uint64_t code = 0;
  std::memcpy(&code, bytes.data() + i * width, width);
  return code;
}

}  // namespace assay
