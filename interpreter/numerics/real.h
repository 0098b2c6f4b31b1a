// Exact functions of one or two floats, with the names that interpreter/numerics/integer.h uses for integers.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace assay {

template <std::floating_point T>
using BitsOf = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

// Maximum and minimum of IEEE 754-2019 (9.6): NaN if either operand is, and -0 is less than +0. Without branches, so
// that loops vectorize: equal operands differ at most in the sign of zero, which `and` clears for the maximum and `or`
// sets for the minimum.
template <std::floating_point T>
inline T Maximum(T a, T b) {
  const T if_equal = std::bit_cast<T>(std::bit_cast<BitsOf<T>>(a) & std::bit_cast<BitsOf<T>>(b));
  const T larger = a < b ? b : a;
  const T number = a == b ? if_equal : larger;
  return b != b ? b : number;
}
template <std::floating_point T>
inline T Minimum(T a, T b) {
  const T if_equal = std::bit_cast<T>(std::bit_cast<BitsOf<T>>(a) | std::bit_cast<BitsOf<T>>(b));
  const T smaller = b < a ? b : a;
  const T number = a == b ? if_equal : smaller;
  return b != b ? b : number;
}

template <std::floating_point T>
inline T Abs(T a) {
  return std::fabs(a);
}

// Zero and NaN keep their sign.
template <std::floating_point T>
inline T Sign(T a) {
  return a == 0 || a != a ? a : std::copysign(T{1}, a);
}

// Returns a - b * trunc(a / b), exactly; a zero has the sign of the dividend.
template <std::floating_point T>
inline T Remainder(T a, T b) {
  return std::fmod(a, b);
}

template <std::floating_point T>
inline T Quieted(T nan) {
  constexpr BitsOf<T> kQuiet = BitsOf<T>{1} << (std::numeric_limits<T>::digits - 2);
  return std::bit_cast<T>(std::bit_cast<BitsOf<T>>(nan) | kQuiet);
}

// Returns the NaN result of an operation, since hardware and compilers differ: the first NaN operand, quieted; without
// NaN operands the positive quiet NaN.
template <std::floating_point T>
inline T NanOf() {
  return std::numeric_limits<T>::quiet_NaN();
}
template <std::floating_point T, std::same_as<T>... Others>
inline T NanOf(T first, Others... others) {
  return first != first ? Quieted(first) : NanOf<T>(others...);
}

// Returns the result, or the NaN of its operands if it is NaN.
template <std::floating_point T, std::same_as<T>... Operands>
inline T WithNanOf(T result, Operands... operands) {
  const T nan = NanOf<T>(operands...);
  return result != result ? nan : result;
}
// The same for functions of one operand that change its sign: the NaN of the operand has the sign of the result.
template <std::floating_point T>
inline T WithSignedNanOf(T result, T operand) {
  return WithNanOf(result, operand != operand ? result : operand);
}

}  // namespace assay
