// LAPACK's iterative routines, in double precision, through its C interface. Matrices are finite and not empty.
#pragma once

#include <vector>

#include "interpreter/numerics/matrix.h"

namespace assay {

// Each `info` is LAPACK's: a value above 0 means that the iteration did not converge.

// A = vectors diag(values) vectors^H of a Hermitian matrix (syevd, heevd).
template <class T>
struct HermitianEigen {
  std::vector<Extended> values;  // ascending
  Matrix<T> vectors;
  int info = 0;
};
template <class T>
HermitianEigen<T> EigenOfHermitian(const Matrix<T>& a);

// A = u diag(values) vt (gesdd).
template <class T>
struct SingularValues {
  Matrix<T> u;                   // all columns, or as many as there are values
  Matrix<T> vt;                  // all rows, or as many as there are values
  std::vector<Extended> values;  // descending
  int info = 0;
};
// `parts` is LAPACK's jobz: A for all columns, S for as many as there are values, N for none.
template <class T>
SingularValues<T> SingularValuesOf(const Matrix<T>& a, char parts);

// A = vectors form vectors^H with an upper triangular form, for real A with blocks of two rows for pairs of complex
// eigenvalues (gees).
template <class T>
struct Schur {
  Matrix<T> form;
  Matrix<T> vectors;
  std::vector<ExtendedComplex> values;
  int info = 0;
};
template <class T>
Schur<T> SchurOf(const Matrix<T>& a);

// A right = right diag(values), left^H A = diag(values) left^H, of columns of norm 1 (geev).
struct GeneralEigen {
  std::vector<ExtendedComplex> values;
  Matrix<ExtendedComplex> left;
  Matrix<ExtendedComplex> right;
  int info = 0;
};
template <class T>
GeneralEigen EigenOf(const Matrix<T>& a, bool left, bool right);

}  // namespace assay
