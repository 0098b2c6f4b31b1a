// Exact sums of doubles and of products of two doubles, rounded once at the end.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "interpreter/types/float_format.h"

namespace assay {

// A fixed-point number wide enough for 2^63 products of two doubles (Kulisch's long accumulator), in digits whose
// carries are resolved rarely. The result depends on the multiset of the terms alone, never on their order. See
// docs/sums.md.
class ExactSum {
 public:
  void Add(double term);
  // Adds the exact product a * b.
  void AddProduct(double a, double b);
  // Adds every term of the other sum.
  void Merge(const ExactSum& other);
  // Resets to the empty sum.
  void Clear();

  // Returns the sum rounded once. A NaN among the terms, 0 * inf, or infinities of both signs make it a NaN; otherwise
  // an infinity makes it that infinity. A sum that is exactly zero is -0 if there are terms and all of them are -0;
  // otherwise +0.
  std::uint64_t RoundTo(const FloatFormat& format) const;
  // Writes RoundTo's bits as one element of an array of that floating type.
  void Store(PrimitiveType type, std::byte* out) const;

 private:
  // The sum is that of digits_[i] * 2^(32 i + kLeastExponent); 2^-2148 is the last place of the smallest product.
  static constexpr int kDigits = 134;
  static constexpr int kLeastExponent = -2148;
  static constexpr std::int64_t kBase = std::int64_t{1} << 32;
  // Each addition changes a digit by less than 2^33.
  static constexpr int kMaxUnresolved = 1 << 29;

  void AddSpecial(double term);
  void AddZero(bool negative);
  // Adds (-1)^negative * (high * 2^64 + low) * 2^(position + kLeastExponent), high < 2^42.
  void AddDigits(bool negative, std::uint64_t high, std::uint64_t low, int position);
  void Touch(int first, int last);
  void ResolveCarries();
  bool IsNegative() const;

  std::array<std::int64_t, kDigits> digits_ = {};
  // Digits outside [first_, last_] are zero. Once carries are resolved, those inside are in [0, 2^32), except for the
  // last, which has the sign.
  int first_ = kDigits;
  int last_ = -1;
  int unresolved_ = 0;

  bool has_nan_ = false;
  bool has_infinity_[2] = {false, false};  // by sign
  bool has_negative_zero_ = false;
  bool has_other_ = false;  // a term that is not -0
};

}  // namespace assay
