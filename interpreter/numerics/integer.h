// Integers as in XLA: two's complement of a given width, every operation defined for every operand.
// docs/decisions.md#integers
#pragma once

#include <algorithm>
#include <bit>
#include <compare>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace assay {

// An integer of `width` bits, held sign- or zero-extended in a T of at least that width. Results may exceed the width:
// the caller stores their low `width` bits.
template <class T>
struct TwosComplement {
  using Unsigned = std::make_unsigned_t<T>;
  using Signed = std::make_signed_t<T>;
  static constexpr int kBits = std::numeric_limits<Unsigned>::digits;

  T value = 0;
  int width = kBits;

  constexpr TwosComplement With(auto new_value) const { return {static_cast<T>(new_value), width}; }
  // Returns the low `width` bits, zero-extended or sign-extended.
  constexpr Unsigned bits() const { return static_cast<Unsigned>(value) << (kBits - width) >> (kBits - width); }
  constexpr Signed sign_extended() const {
    return static_cast<Signed>(static_cast<Unsigned>(value) << (kBits - width)) >> (kBits - width);
  }

  friend constexpr bool operator==(TwosComplement a, TwosComplement b) { return a.value == b.value; }
  friend constexpr auto operator<=>(TwosComplement a, TwosComplement b) { return a.value <=> b.value; }

  friend constexpr TwosComplement operator+(TwosComplement a, TwosComplement b) {
    return a.With(static_cast<Unsigned>(a.value) + static_cast<Unsigned>(b.value));
  }
  friend constexpr TwosComplement operator-(TwosComplement a, TwosComplement b) {
    return a.With(static_cast<Unsigned>(a.value) - static_cast<Unsigned>(b.value));
  }
  friend constexpr TwosComplement operator*(TwosComplement a, TwosComplement b) {
    return a.With(static_cast<Unsigned>(a.value) * static_cast<Unsigned>(b.value));
  }
  friend constexpr TwosComplement operator-(TwosComplement a) {
    return a.With(Unsigned{0} - static_cast<Unsigned>(a.value));
  }
  friend constexpr TwosComplement operator&(TwosComplement a, TwosComplement b) { return a.With(a.value & b.value); }
  friend constexpr TwosComplement operator|(TwosComplement a, TwosComplement b) { return a.With(a.value | b.value); }
  friend constexpr TwosComplement operator^(TwosComplement a, TwosComplement b) { return a.With(a.value ^ b.value); }
  friend constexpr TwosComplement operator~(TwosComplement a) { return a.With(~a.value).Truncated(); }

  // Rounds towards zero. x / 0 has all bits set; the least integer / -1 is the least integer.
  friend constexpr TwosComplement operator/(TwosComplement a, TwosComplement b) {
    if (b.value == 0) return a.With(-1);
    if (std::is_signed_v<T> && b.value == static_cast<T>(-1)) return -a;
    return a.With(a.value / b.value);
  }
  // Returns the remainder of operator/, with the sign of the dividend; x % 0 = x.
  friend constexpr TwosComplement operator%(TwosComplement a, TwosComplement b) {
    if (b.value == 0) return a;
    if (std::is_signed_v<T> && b.value == static_cast<T>(-1)) return a.With(0);
    return a.With(a.value % b.value);
  }

  // Returns the value of the low `width` bits.
  constexpr TwosComplement Truncated() const { return std::is_signed_v<T> ? With(sign_extended()) : With(bits()); }
};

template <class T>
constexpr TwosComplement<T> Maximum(TwosComplement<T> a, TwosComplement<T> b) {
  return a < b ? b : a;
}
template <class T>
constexpr TwosComplement<T> Minimum(TwosComplement<T> a, TwosComplement<T> b) {
  return b < a ? b : a;
}
// The magnitude of the least integer is the least integer itself.
template <class T>
constexpr TwosComplement<T> Abs(TwosComplement<T> a) {
  return a.value < 0 ? -a : a;
}
template <class T>
constexpr TwosComplement<T> Sign(TwosComplement<T> a) {
  return a.With((a.value > 0) - (a.value < 0));
}
template <class T>
constexpr TwosComplement<T> Remainder(TwosComplement<T> a, TwosComplement<T> b) {
  return a % b;
}

// Shift amounts are read as unsigned, so a negative one exceeds the width, like any other that is too large.
template <class T>
constexpr TwosComplement<T> ShiftLeft(TwosComplement<T> a, TwosComplement<T> amount) {
  const auto width = static_cast<typename TwosComplement<T>::Unsigned>(a.width);
  return a.With(amount.bits() < width ? a.bits() << amount.bits() : 0);
}
template <class T>
constexpr TwosComplement<T> ShiftRightLogical(TwosComplement<T> a, TwosComplement<T> amount) {
  const auto width = static_cast<typename TwosComplement<T>::Unsigned>(a.width);
  return a.With(amount.bits() < width ? a.bits() >> amount.bits() : 0);
}
// Shifts in copies of the top bit, for unsigned types too; an amount beyond the width leaves only those.
template <class T>
constexpr TwosComplement<T> ShiftRightArithmetic(TwosComplement<T> a, TwosComplement<T> amount) {
  const auto last = static_cast<typename TwosComplement<T>::Unsigned>(a.width - 1);
  return a.With(a.sign_extended() >> std::min(amount.bits(), last));
}

template <class T>
constexpr TwosComplement<T> PopulationCount(TwosComplement<T> a) {
  return a.With(std::popcount(a.bits()));
}
template <class T>
constexpr TwosComplement<T> CountLeadingZeros(TwosComplement<T> a) {
  return a.With(std::countl_zero(a.bits()) - (a.kBits - a.width));
}

// Returns the upper half of the product of twice the width.
template <class T>
constexpr TwosComplement<T> MultiplyHigh(TwosComplement<T> a, TwosComplement<T> b) {
  __extension__ using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  return a.With(static_cast<Wide>(a.value) * b.value >> a.width);
}

// Wraps modulo 2^width for non-negative exponents. A negative exponent is a reciprocal: 1 for 1, 1 or -1 for -1 by the
// parity of the exponent, and 0 for all other bases, including 0.
template <class T>
constexpr TwosComplement<T> Power(TwosComplement<T> base, TwosComplement<T> exponent) {
  if (exponent.value < 0) {
    const bool is_odd = (exponent.value & 1) != 0;
    if (base.value == 1) return base;
    return base.value == static_cast<T>(-1) ? base.With(is_odd ? -1 : 1) : base.With(0);
  }
  TwosComplement<T> power = base.With(1);
  for (auto left = exponent.bits(); left != 0; left >>= 1) {
    if ((left & 1) != 0) power = power * base;
    base = base * base;
  }
  return power;
}

}  // namespace assay
