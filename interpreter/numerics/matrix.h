// Small dense matrices in extended precision, for computing and judging factorizations.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

#include "interpreter/types/limits.h"

namespace assay {

// 64 bits of precision, 11 more than the widest element type of LAPACK.
using Extended = long double;
using ExtendedComplex = std::complex<long double>;

inline Extended Conjugate(Extended x) { return x; }
inline ExtendedComplex Conjugate(const ExtendedComplex& x) { return std::conj(x); }
inline Extended RealPart(Extended x) { return x; }
inline Extended RealPart(const ExtendedComplex& x) { return x.real(); }
inline Extended ImaginaryPart(Extended) { return 0; }
inline Extended ImaginaryPart(const ExtendedComplex& x) { return x.imag(); }
inline Extended Magnitude(Extended x) { return std::fabs(x); }
inline Extended Magnitude(const ExtendedComplex& x) { return std::hypot(x.real(), x.imag()); }
inline Extended Square(Extended x) { return x * x; }
inline Extended Square(const ExtendedComplex& x) { return x.real() * x.real() + x.imag() * x.imag(); }

// Returns the larger one; NaN counts as larger than all numbers.
inline Extended Worse(Extended a, Extended b) { return std::isnan(a) || a >= b ? a : b; }

template <class T>
struct Matrix {
  Matrix() = default;
  Matrix(std::int64_t rows, std::int64_t columns) : rows(rows), columns(columns), elements(rows * columns) {}
  static Matrix Identity(std::int64_t n) {
    Matrix identity(n, n);
    for (std::int64_t i = 0; i < n; ++i) identity(i, i) = 1;
    return identity;
  }

  T& operator()(std::int64_t i, std::int64_t j) { return elements[i * columns + j]; }
  const T& operator()(std::int64_t i, std::int64_t j) const { return elements[i * columns + j]; }

  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<T> elements;  // row-major
};

template <class T>
Matrix<T> operator*(const Matrix<T>& a, const Matrix<T>& b) {
  Matrix<T> product(a.rows, b.columns);
  for (std::int64_t i = 0; i < a.rows; ++i) {
    CheckLimits();
    for (std::int64_t k = 0; k < a.columns; ++k) {
      const T& factor = a(i, k);
      for (std::int64_t j = 0; j < b.columns; ++j) product(i, j) += factor * b(k, j);
    }
  }
  return product;
}

template <class T>
Matrix<T> operator-(Matrix<T> a, const Matrix<T>& b) {
  for (std::size_t i = 0; i < a.elements.size(); ++i) a.elements[i] -= b.elements[i];
  return a;
}

// Returns the conjugate transpose.
template <class T>
Matrix<T> Adjoint(const Matrix<T>& a) {
  Matrix<T> adjoint(a.columns, a.rows);
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = 0; j < a.columns; ++j) adjoint(j, i) = Conjugate(a(i, j));
  }
  return adjoint;
}

template <class T>
bool AreAllFinite(const std::vector<T>& elements) {
  return std::all_of(elements.begin(), elements.end(),
                     [](const T& x) { return std::isfinite(RealPart(x)) && std::isfinite(ImaginaryPart(x)); });
}

// Returns the largest sum of magnitudes of a column; NaN if an element is NaN.
template <class T>
Extended Norm1(const Matrix<T>& a) {
  Extended norm = 0;
  for (std::int64_t j = 0; j < a.columns; ++j) {
    Extended sum = 0;
    for (std::int64_t i = 0; i < a.rows; ++i) sum += Magnitude(a(i, j));
    norm = Worse(norm, sum);
  }
  return norm;
}

// Returns the Euclidean norm of elements `first` to `last` - 1 of column j.
template <class T>
Extended ColumnNorm(const Matrix<T>& a, std::int64_t j, std::int64_t first, std::int64_t last) {
  Extended sum = 0;
  for (std::int64_t i = first; i < last; ++i) sum += Square(a(i, j));
  return std::sqrt(sum);
}

// Returns the Hermitian matrix of which one triangle is stored. Ignores imaginary parts of the diagonal.
template <class T>
Matrix<T> HermitianOfTriangle(const Matrix<T>& stored, bool is_lower) {
  Matrix<T> full(stored.rows, stored.columns);
  for (std::int64_t i = 0; i < stored.rows; ++i) {
    full(i, i) = RealPart(stored(i, i));
    for (std::int64_t j = 0; j < i; ++j) {
      full(i, j) = is_lower ? stored(i, j) : Conjugate(stored(j, i));
      full(j, i) = Conjugate(full(i, j));
    }
  }
  return full;
}

}  // namespace assay
