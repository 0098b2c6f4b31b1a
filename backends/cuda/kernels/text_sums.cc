#include "backends/cuda/kernels/text.h"

namespace assay::cuda {

// Sums in twice the precision of f64, with a bound on their error: docs/sums.md, compensated lanes. The true sum is
// within 2^-53 (1 + 2^-10) bound of high + low. If the bound is zero, high is the sum and has its sign.
const std::string_view kTextOfWideSums = R"(
struct wide_sum {
  f64 high, low, bound;
  wide_sum() = default;
  inline wide_sum(f64 x) : high(x), low(0), bound(0) {}
};
// The rounding error of a sum.
inline f64 sum_error(f64 a, f64 b, f64 sum) {
  const f64 part = sum - a;
  return (a - (sum - part)) + (b - part);
}
inline wide_sum with_sum(wide_sum s, f64 term) {
  const f64 sum = s.high + term;
  s.low += sum_error(s.high, term, sum);
  s.high = sum;
  s.bound += fabs(s.low);
  return s;
}
inline wide_sum with_sum(wide_sum a, const wide_sum& b) {
  const f64 sum = a.high + b.high, both = a.low + b.low;
  a.low = both + sum_error(a.high, b.high, sum);
  a.high = sum;
  a.bound += b.bound + fabs(both) + fabs(a.low);
  return a;
}
// Products of numbers of 24 bits are numbers of f64.
inline wide_sum with_product(const wide_sum& s, f64 a, f64 b) { return with_sum(s, a * b); }
// Those of longer ones are two, but for what is too small for the second.
inline wide_sum with_long_product(wide_sum s, f64 a, f64 b) {
  const f64 product = a * b;
  s.low += fma(a, b, -product);
  s.bound += fabs(s.low);
  if (fabs(product) < 0x1p-968 && a != 0 && b != 0) s.bound += 0x1p-1022;
  return with_sum(s, product);
}

// Whether what is certain of a sum decides how it rounds, which goes to `out`. No sum of numbers of f32 is too large for
// f64: without an end it has a term without one.
template <class T> inline bool store_sum(const wide_sum& s, T* out) {
  if (s.bound == 0 || !is_finite(s.high)) {
    *out = To<T>::of(settled(s.high));
    return true;
  }
  const f64 high = s.high + s.low, low = sum_error(s.high, s.low, high), error = s.bound * 0x1p-51;
  if (fabs(low) > error) {
    // Between two numbers of f64: the odd one of them rounds as all between them do.
    const u64 bits = bits_of(high);
    const u64 odd = (bits & 1) != 0 ? bits : (low > 0) == (high > 0) ? bits + 1 : bits - 1;
    *out = To<T>::of(double_of(odd));
    return true;
  }
  const f64 most = 2 * error + fabs(high) * 0x1p-50, least = high - most, greatest = high + most;
  *out = To<T>::of(high);
  return (least > 0 || greatest < 0) && bits_of(To<T>::of(least)) == bits_of(To<T>::of(greatest));
}
// Of products that may be too large.
template <class T> inline bool store_long_sum(const wide_sum& s, T* out) {
  const bool is_sure = store_sum(s, out);
  return is_sure && is_finite(s.high);
}
template <> inline bool store_long_sum(const wide_sum& s, f64* out) {
  if (s.bound == 0 && is_finite(s.high)) {
    *out = s.high;
    return true;
  }
  const f64 high = s.high + s.low, low = sum_error(s.high, s.low, high), error = s.bound * 0x1p-51;
  const f64 least = high + (low - error), greatest = high + (low + error);
  *out = high;
  return (least > 0 || greatest < 0) && least == greatest && is_finite(high);
}
)";

const std::string_view kTextOfWideComplexSums = R"(
struct wide_complex {
  wide_sum real, imag;
  wide_complex() = default;
  inline wide_complex(complex z) : real(z.real), imag(z.imag) {}
};
inline wide_complex with_sum(wide_complex a, complex b) {
  a.real = with_sum(a.real, b.real);
  a.imag = with_sum(a.imag, b.imag);
  return a;
}
inline wide_complex with_sum(wide_complex a, const wide_complex& b) {
  a.real = with_sum(a.real, b.real);
  a.imag = with_sum(a.imag, b.imag);
  return a;
}
inline wide_complex with_product(wide_complex s, complex a, complex b) {
  s.real = with_product(with_product(s.real, a.real, b.real), -a.imag, b.imag);
  s.imag = with_product(with_product(s.imag, a.real, b.imag), a.imag, b.real);
  return s;
}
inline wide_complex with_long_product(wide_complex s, complex a, complex b) {
  s.real = with_long_product(with_long_product(s.real, a.real, b.real), -a.imag, b.imag);
  s.imag = with_long_product(with_long_product(s.imag, a.real, b.imag), a.imag, b.real);
  return s;
}
template <class T> inline bool store_sum(const wide_complex& s, T* out) {
  const bool is_real_sure = store_sum(s.real, &out->real), is_imag_sure = store_sum(s.imag, &out->imag);
  return is_real_sure && is_imag_sure;
}
template <class T> inline bool store_long_sum(const wide_complex& s, T* out) {
  const bool is_real_sure = store_long_sum(s.real, &out->real), is_imag_sure = store_long_sum(s.imag, &out->imag);
  return is_real_sure && is_imag_sure;
}
)";

}  // namespace assay::cuda
