#include "interpreter/numerics/exact_sum.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "interpreter/numerics/round.h"

namespace assay {
namespace {

// |value| = significand * 2^(exponent - 1074); finite values only.
struct Magnitude {
  std::uint64_t significand;
  int exponent;
};

Magnitude MagnitudeOf(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t fraction = bits & 0xFFFFFFFFFFFFF;
  const int biased = static_cast<int>(bits >> 52) & 0x7FF;
  if (biased == 0) return {fraction, 0};
  return {fraction | std::uint64_t{1} << 52, biased - 1};
}

template <class Code>
void StoreCode(std::byte* out, Code code) {
  std::memcpy(out, &code, sizeof(code));
}

}  // namespace

void ExactSum::Add(double term) {
  if (!std::isfinite(term)) return AddSpecial(term);
  if (term == 0) return AddZero(std::signbit(term));
  const Magnitude magnitude = MagnitudeOf(term);
  AddDigits(std::signbit(term), 0, magnitude.significand, magnitude.exponent - 1074 - kLeastExponent);
}

void ExactSum::AddProduct(double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return AddSpecial(a * b);
  const bool negative = std::signbit(a) != std::signbit(b);
  if (a == 0 || b == 0) return AddZero(negative);
  const Magnitude x = MagnitudeOf(a);
  const Magnitude y = MagnitudeOf(b);
  const uint128 product = uint128{x.significand} * y.significand;
  AddDigits(negative, static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product),
            x.exponent + y.exponent);
}

void ExactSum::AddSpecial(double term) {
  has_other_ = true;
  if (std::isnan(term)) {
    has_nan_ = true;
  } else {
    has_infinity_[std::signbit(term) ? 1 : 0] = true;
  }
}

void ExactSum::AddZero(bool negative) { (negative ? has_negative_zero_ : has_other_) = true; }

void ExactSum::AddDigits(bool negative, std::uint64_t high, std::uint64_t low, int position) {
  has_other_ = true;
  const int digit = position / 32;
  const int shift = position % 32;
  const uint128 low_shifted = uint128{low} << shift;
  const uint128 high_shifted = uint128{high} << shift;
  constexpr std::uint64_t kMask = kBase - 1;
  const std::int64_t parts[5] = {
      static_cast<std::int64_t>(low_shifted & kMask),
      static_cast<std::int64_t>((low_shifted >> 32) & kMask),
      static_cast<std::int64_t>((low_shifted >> 64) + (high_shifted & kMask)),
      static_cast<std::int64_t>((high_shifted >> 32) & kMask),
      static_cast<std::int64_t>(high_shifted >> 64),
  };
  Touch(digit, digit + 4);
  for (int i = 0; i < 5; ++i) digits_[digit + i] += negative ? -parts[i] : parts[i];
  if (++unresolved_ == kMaxUnresolved) ResolveCarries();
}

void ExactSum::Touch(int first, int last) {
  first_ = std::min(first_, first);
  last_ = std::max(last_, last);
}

void ExactSum::ResolveCarries() {
  std::int64_t carry = 0;
  for (int i = first_; i <= last_ || carry != 0; ++i) {
    const std::int64_t value = digits_[i] + carry;
    if (i >= last_ && value > -kBase && value < kBase) {
      digits_[i] = value;
      last_ = i;
      break;
    }
    digits_[i] = value & (kBase - 1);
    carry = value >> 32;
  }
  unresolved_ = 0;
}

void ExactSum::Merge(const ExactSum& other) {
  ExactSum resolved = other;
  resolved.ResolveCarries();
  if (resolved.first_ <= resolved.last_) Touch(resolved.first_, resolved.last_);
  for (int i = resolved.first_; i <= resolved.last_; ++i) digits_[i] += resolved.digits_[i];
  if (++unresolved_ == kMaxUnresolved) ResolveCarries();
  has_nan_ |= other.has_nan_;
  for (int sign = 0; sign < 2; ++sign) has_infinity_[sign] |= other.has_infinity_[sign];
  has_negative_zero_ |= other.has_negative_zero_;
  has_other_ |= other.has_other_;
}

void ExactSum::Clear() {
  for (int i = first_; i <= last_; ++i) digits_[i] = 0;
  first_ = kDigits;
  last_ = -1;
  unresolved_ = 0;
  has_nan_ = has_infinity_[0] = has_infinity_[1] = has_negative_zero_ = has_other_ = false;
}

bool ExactSum::IsNegative() const {
  int top = last_;
  while (top >= first_ && digits_[top] == 0) --top;
  return top >= first_ && digits_[top] < 0;
}

std::uint64_t ExactSum::RoundTo(const FloatFormat& format) const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (has_nan_ || (has_infinity_[0] && has_infinity_[1])) {
    return RoundDouble(format, std::numeric_limits<double>::quiet_NaN());
  }
  if (has_infinity_[0] || has_infinity_[1]) return RoundDouble(format, has_infinity_[1] ? -kInfinity : kInfinity);

  ExactSum magnitude = *this;
  magnitude.ResolveCarries();
  const bool negative = magnitude.IsNegative();
  if (negative) {
    for (int i = magnitude.first_; i <= magnitude.last_; ++i) magnitude.digits_[i] = -magnitude.digits_[i];
    magnitude.ResolveCarries();
  }
  int top = magnitude.last_;
  while (top >= magnitude.first_ && magnitude.digits_[top] == 0) --top;
  if (top < magnitude.first_) return RoundDouble(format, has_negative_zero_ && !has_other_ ? -0.0 : 0.0);

  // The four leading digits hold at least 97 significant bits, more than twice the precision of any format.
  const int least = std::max(top - 3, magnitude.first_);
  uint128 significand = 0;
  for (int i = top; i >= least; --i) significand = significand << 32 | static_cast<std::uint64_t>(magnitude.digits_[i]);
  bool sticky = false;
  for (int i = magnitude.first_; i < least; ++i) sticky = sticky || magnitude.digits_[i] != 0;
  return Round(format, negative, significand, kLeastExponent + 32 * least, sticky);
}

void ExactSum::Store(PrimitiveType type, std::byte* out) const {
  const std::uint64_t bits = RoundTo(FloatFormatOf(type));
  switch (StorageBytes(type)) {
    case 1:
      return StoreCode(out, static_cast<std::uint8_t>(bits));
    case 2:
      return StoreCode(out, static_cast<std::uint16_t>(bits));
    case 4:
      return StoreCode(out, static_cast<std::uint32_t>(bits));
    default:
      return StoreCode(out, bits);
  }
}

}  // namespace assay
