// Elementary reflectors H = I - tau v v^H, as LAPACK makes and packs them.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "interpreter/numerics/matrix.h"
#include "interpreter/types/limits.h"

namespace assay {

template <class T>
struct Reflector {
  T tau{};
  std::vector<T> v;  // 1 at the pivot; zeros if the reflector is the identity
};

// Returns the reflector with H^H y = beta e_pivot (LAPACK's larfg). beta is real, with the sign opposite to that of y's
// real part at the pivot; the same sign if `keeps_sign`, which cancels digits. Returns the identity if y already equals
// beta e_pivot.
template <class T>
Reflector<T> Annihilate(const std::vector<T>& y, std::int64_t pivot, Extended& beta, bool keeps_sign = false) {
  Reflector<T> reflector{T(0), std::vector<T>(y.size())};
  reflector.v[pivot] = 1;
  const T alpha = y[pivot];
  Extended rest = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (static_cast<std::int64_t>(i) != pivot) rest += Square(y[i]);
  }
  beta = RealPart(alpha);
  if (rest == 0 && ImaginaryPart(alpha) == 0) return reflector;
  beta = std::copysign(std::sqrt(rest + Square(alpha)), keeps_sign ? RealPart(alpha) : -RealPart(alpha));
  reflector.tau = (beta - alpha) / beta;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (static_cast<std::int64_t>(i) != pivot) reflector.v[i] = y[i] / (alpha - beta);
  }
  return reflector;
}

// Computes a := (I - tau v v^H) a.
template <class T>
void ApplyFromLeft(const T& tau, const std::vector<T>& v, Matrix<T>& a) {
  std::vector<T> products(a.columns);
  CheckLimits();
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = 0; j < a.columns; ++j) products[j] += Conjugate(v[i]) * a(i, j);
  }
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = 0; j < a.columns; ++j) a(i, j) -= tau * v[i] * products[j];
  }
}

// Computes a := a (I - tau v v^H).
template <class T>
void ApplyFromRight(const T& tau, const std::vector<T>& v, Matrix<T>& a) {
  CheckLimits();
  for (std::int64_t i = 0; i < a.rows; ++i) {
    T product{};
    for (std::int64_t j = 0; j < a.columns; ++j) product += a(i, j) * v[j];
    for (std::int64_t j = 0; j < a.columns; ++j) a(i, j) -= tau * product * Conjugate(v[j]);
  }
}

// Returns the reflectors that are packed into the columns of a matrix: reflector i has its pivot in row i + below, and
// its other elements are further down in column i.
template <class T>
std::vector<Reflector<T>> UnpackReflectors(const Matrix<T>& packed, const std::vector<T>& taus, std::int64_t below) {
  std::vector<Reflector<T>> reflectors;
  for (std::size_t k = 0; k < taus.size(); ++k) {
    const auto i = static_cast<std::int64_t>(k);
    Reflector<T> reflector{taus[k], std::vector<T>(packed.rows)};
    reflector.v[i + below] = 1;
    for (std::int64_t row = i + below + 1; row < packed.rows; ++row) reflector.v[row] = packed(row, i);
    reflectors.push_back(std::move(reflector));
  }
  return reflectors;
}

// Returns the first `columns` columns of H_0 H_1 ... as a matrix of `rows` rows.
template <class T>
Matrix<T> ProductOf(const std::vector<Reflector<T>>& reflectors, std::int64_t rows, std::int64_t columns) {
  Matrix<T> product(rows, columns);
  for (std::int64_t i = 0; i < std::min(rows, columns); ++i) product(i, i) = 1;
  for (auto reflector = reflectors.rbegin(); reflector != reflectors.rend(); ++reflector) {
    ApplyFromLeft(reflector->tau, reflector->v, product);
  }
  return product;
}

// Returns the elements on and above the diagonal of the first `rows` rows.
template <class T>
Matrix<T> UpperTriangle(const Matrix<T>& a, std::int64_t rows) {
  Matrix<T> upper(rows, a.columns);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = i; j < a.columns; ++j) upper(i, j) = a(i, j);
  }
  return upper;
}

}  // namespace assay
