// Approximations of the complex functions that the C library lacks, in double for c64 and in long double for c128.
// Each part keeps the relative error bounds of certain.h; where terms cancel too much for that it is NaN instead, and
// the caller computes exactly. Finite operands.
#pragma once

#include <cmath>
#include <complex>
#include <limits>

namespace assay {

// a + b, or NaN if that is less than a quarter of |a| + |b|: two bits of the terms' accuracy may be lost, not more.
template <class T>
T SumWithoutCancellation(T a, T b) {
  const T sum = a + b;
  return std::fabs(sum) >= (std::fabs(a) + std::fabs(b)) / 4 ? sum : std::numeric_limits<T>::quiet_NaN();
}

// e^a cos b - 1 = (e^a - 1) cos b - 2 sin^2(b/2)
template <class T>
std::complex<T> ApproximateExpm1(std::complex<T> z) {
  const T half_sine = std::sin(z.imag() / 2);
  const T real = SumWithoutCancellation(std::expm1(z.real()) * std::cos(z.imag()), -2 * half_sine * half_sine);
  return {real, std::exp(z.real()) * std::sin(z.imag())};
}

// log|1 + z| by log1p(|1 + z|^2 - 1) / 2; where that difference cancels, by log(|1 + z|^2) / 2, whose error is that of
// its argument over the logarithm.
template <class T>
std::complex<T> ApproximateLog1p(std::complex<T> z) {
  const T a = z.real();
  const T b = z.imag();
  const T along = 1 + a;
  const T angle = std::atan2(b, along);
  if (b == 0 && a > -1) return {std::log1p(a), angle};
  const T less_one = SumWithoutCancellation(a * (2 + a), b * b);
  if (less_one > T(-0.5)) return {std::log1p(less_one) / 2, angle};
  const T logarithm = std::log(along * along + b * b);
  return {std::fabs(logarithm) >= T(0.25) ? logarithm / 2 : std::numeric_limits<T>::quiet_NaN(), angle};
}

// With E = e^-a: (1 + E cos b + i E sin b) / ((E - 1)^2 + 4 E cos^2(b/2))
template <class T>
std::complex<T> ApproximateLogistic(std::complex<T> z) {
  const T e = std::exp(-z.real());
  const T less_one = std::expm1(-z.real());
  const T half_cosine = std::cos(z.imag() / 2);
  const T square = less_one * less_one + 4 * e * half_cosine * half_cosine;
  return {SumWithoutCancellation(T(1), e * std::cos(z.imag())) / square, e * std::sin(z.imag()) / square};
}

// The conjugate of the square root, over the length.
template <class T>
std::complex<T> ApproximateRsqrt(std::complex<T> z) {
  const std::complex<T> root = std::sqrt(z);
  const T length = std::abs(z);
  return {root.real() / length, -root.imag() / length};
}

template <class T>
std::complex<T> ApproximateCbrt(std::complex<T> z) {
  const T root = std::cbrt(std::abs(z));
  const T angle = std::arg(z) / 3;
  return {root * std::cos(angle), root * std::sin(angle)};
}

template <class T>
std::complex<T> ApproximateSign(std::complex<T> z) {
  if (z == T(0)) return z;
  const T length = std::abs(z);
  return {z.real() / length, z.imag() / length};
}

}  // namespace assay
