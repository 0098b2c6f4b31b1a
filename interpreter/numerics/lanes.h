// Arithmetic of several numbers side by side: doubles, double words, complex numbers of either. Always inlined, into
// functions that are compiled for each vector width: the memory layout of a vector does not depend on it.
#pragma once

#include <cstdint>

#include "interpreter/types/vector_clones.h"

namespace assay::lanes {

inline constexpr std::int64_t kLanes = 8;

struct Lanes {
  // Aligned like a double, so that it can be at any such address.
  typedef double Type __attribute__((vector_size(kLanes * sizeof(double)), aligned(sizeof(double))));
  Type lanes;
};

ASSAY_INLINE Lanes operator+(const Lanes& a, const Lanes& b) { return {a.lanes + b.lanes}; }
ASSAY_INLINE Lanes operator-(const Lanes& a, const Lanes& b) { return {a.lanes - b.lanes}; }
ASSAY_INLINE Lanes operator*(const Lanes& a, const Lanes& b) { return {a.lanes * b.lanes}; }
ASSAY_INLINE Lanes operator*(const Lanes& a, double b) { return {a.lanes * b}; }
ASSAY_INLINE Lanes operator-(const Lanes& a) { return {-a.lanes}; }

// The unevaluated sum of two numbers.
template <class Number>
struct WordOf {
  Number hi, lo;
};

template <class Number>
ASSAY_INLINE WordOf<Number> Sum(const Number& a, const Number& b) {
  const Number sum = a + b, b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

template <class Number>
ASSAY_INLINE WordOf<Number> OrderedSum(const Number& a, const Number& b) {
  const Number sum = a + b;
  return {sum, b - (sum - a)};
}

// Veltkamp's splitting into numbers of 26 bits, and Dekker's product from it: the same result on machines without a
// fused multiply-add.
template <class Number>
ASSAY_INLINE WordOf<Number> Split(const Number& a) {
  const Number scaled = a * 134217729.0, hi = scaled - (scaled - a);
  return {hi, a - hi};
}

template <class Number, class Other>
ASSAY_INLINE WordOf<Number> Product(const Number& a, const Other& b) {
  const Number product = a * b;
  const WordOf<Number> x = Split(a);
  const WordOf<Other> y = Split(b);
  return {product, ((x.hi * y.hi - product) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
}

// The sum of algorithm 6 and the product of algorithm 10 of the paper cited in ball.h: errors of 3u^2 and 7u^2.
template <class Number>
ASSAY_INLINE WordOf<Number> operator+(const WordOf<Number>& a, const WordOf<Number>& b) {
  const WordOf<Number> high = Sum(a.hi, b.hi), low = Sum(a.lo, b.lo);
  const WordOf<Number> sum = OrderedSum(high.hi, high.lo + low.hi);
  return OrderedSum(sum.hi, low.lo + sum.lo);
}
template <class Number>
ASSAY_INLINE WordOf<Number> operator-(const WordOf<Number>& a) {
  return {-a.hi, -a.lo};
}
template <class Number>
ASSAY_INLINE WordOf<Number> operator-(const WordOf<Number>& a, const WordOf<Number>& b) {
  return a + -b;
}
template <class Number, class Other>
ASSAY_INLINE WordOf<Number> operator*(const WordOf<Number>& a, const WordOf<Other>& b) {
  const WordOf<Number> high = Product(a.hi, b.hi);
  return OrderedSum(high.hi, high.lo + (a.hi * b.lo + a.lo * b.hi));
}

template <class Number>
struct ComplexOf {
  Number real, imaginary;
};

template <class Number>
ASSAY_INLINE ComplexOf<Number> operator+(const ComplexOf<Number>& a, const ComplexOf<Number>& b) {
  return {a.real + b.real, a.imaginary + b.imaginary};
}
template <class Number>
ASSAY_INLINE ComplexOf<Number> operator-(const ComplexOf<Number>& a, const ComplexOf<Number>& b) {
  return {a.real - b.real, a.imaginary - b.imaginary};
}
template <class Number, class Other>
ASSAY_INLINE ComplexOf<Number> operator*(const ComplexOf<Number>& a, const ComplexOf<Other>& b) {
  return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}
// Multiplies by the imaginary unit if `inverse`, otherwise by its negative.
template <class Number>
ASSAY_INLINE ComplexOf<Number> Turned(const ComplexOf<Number>& a, bool inverse) {
  return inverse ? ComplexOf<Number>{-a.imaginary, a.real} : ComplexOf<Number>{a.imaginary, -a.real};
}

}  // namespace assay::lanes
