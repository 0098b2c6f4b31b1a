// Exact functions of one or two floats, under the names that interpreter/numerics/integer.h has for integers.
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

// maximum and minimum of IEEE 754-2019 (9.6): NaN when either is, and -0 is less than +0. Written without branches, so
// that loops over them use vectors: equal operands differ at most in the sign of zero, which `and` clears for the
// maximum and `or` sets for the minimum.
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

// a - b * trunc(a / b), exactly; a zero has the sign of the dividend.
template <std::floating_point T>
inline T Remainder(T a, T b) {
  return std::fmod(a, b);
}

template <std::floating_point T>
inline T Quieted(T nan) {
  constexpr BitsOf<T> kQuiet = BitsOf<T>{1} << (std::numeric_limits<T>::digits - 2);
  return std::bit_cast<T>(std::bit_cast<BitsOf<T>>(nan) | kQuiet);
}

// Which NaN an operation returns, since hardware and compilers each choose another: of NaN operands the first one,
// quieted; without one the positive quiet NaN. The NaN operand of a function of one argument keeps what the function
// did to its sign.
template <std::floating_point T>
inline T WithSettledNan(T result, T a) {
  const T nan = a != a ? Quieted(result) : std::numeric_limits<T>::quiet_NaN();
  return result != result ? nan : result;
}
template <std::floating_point T>
inline T WithSettledNan(T result, T a, T b) {
  const T nan = a != a ? Quieted(a) : b != b ? Quieted(b) : std::numeric_limits<T>::quiet_NaN();
  return result != result ? nan : result;
}
template <std::floating_point T>
inline T WithSettledNan(T result, T a, T b, T c) {
  const T nan = a != a ? Quieted(a) : b != b ? Quieted(b) : c != c ? Quieted(c) : std::numeric_limits<T>::quiet_NaN();
  return result != result ? nan : result;
}

}  // namespace assay
