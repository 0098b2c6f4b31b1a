#include "interpreter/custom_calls/lapacke.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

#define lapack_complex_float std::complex<float>
#define lapack_complex_double std::complex<double>
#include <lapacke.h>

#include "interpreter/types/limits.h"

namespace assay {
namespace {

// LAPACKE is opened at its first call. It needs six libraries more, and to load these takes longer than all else that a
// program does at its start.
void* OpenedLapacke() {
  static void* const library = dlopen("liblapacke.so.3", RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) {
    throw EvaluationError{{ErrorCode::kUnsupported, fmt::format("LAPACK is not there: {}", dlerror())}};
  }
  return library;
}

template <class Function>
Function* FindRoutine(const char* name) {
  void* const routine = dlsym(OpenedLapacke(), name);
  if (routine == nullptr) throw EvaluationError{{ErrorCode::kUnsupported, fmt::format("LAPACK has no {}", name)}};
  return reinterpret_cast<Function*>(routine);
}

#define LAPACKE(routine) FindRoutine<decltype(LAPACKE_##routine)>("LAPACKE_" #routine)

using Double = double;
using ComplexDouble = std::complex<double>;

// The LAPACK number type that corresponds to one of ours.
template <class T>
struct Narrow;
template <>
struct Narrow<Extended> {
  using Type = Double;
};
template <>
struct Narrow<ExtendedComplex> {
  using Type = ComplexDouble;
};

// A matrix times a power of two, with its largest element near 1. LAPACK scales very small and very large matrices
// itself, but release 3.12.0 does not scale the eigenvalues back.
template <class T>
struct ScaledBack {
  explicit ScaledBack(const Matrix<T>& a) {
    Extended largest = 0;
    for (const T& element : a.elements) largest = std::max(largest, Magnitude(element));
    const Extended scale = largest == 0 ? 1 : std::ldexp(Extended(1), -std::ilogb(largest));
    unit = 1 / scale;
    for (const T& element : a.elements) elements.push_back(typename Narrow<T>::Type(element * scale));
  }

  std::vector<typename Narrow<T>::Type> elements;
  Extended unit;  // the factor that undoes the scaling
};

template <class T>
std::vector<T> TimesScale(std::vector<T> elements, Extended factor) {
  for (T& element : elements) element *= factor;
  return elements;
}

template <class T>
std::vector<T> WidenedValues(const auto& elements) {
  return {elements.begin(), elements.end()};
}

template <class T>
Matrix<T> WidenedMatrix(std::int64_t rows, std::int64_t columns, const auto& elements) {
  Matrix<T> matrix(rows, columns);
  std::copy_n(elements.begin(), rows * columns, matrix.elements.begin());
  return matrix;
}

lapack_int Evd(lapack_int n, Double* a, double* w) { return LAPACKE(dsyevd)(LAPACK_ROW_MAJOR, 'V', 'L', n, a, n, w); }
lapack_int Evd(lapack_int n, ComplexDouble* a, double* w) {
  return LAPACKE(zheevd)(LAPACK_ROW_MAJOR, 'V', 'L', n, a, n, w);
}

lapack_int Sdd(char parts, lapack_int m, lapack_int n, Double* a, double* s, Double* u, lapack_int ldu, Double* vt) {
  return LAPACKE(dgesdd)(LAPACK_ROW_MAJOR, parts, m, n, a, n, s, u, ldu, vt, n);
}
lapack_int Sdd(char parts, lapack_int m, lapack_int n, ComplexDouble* a, double* s, ComplexDouble* u, lapack_int ldu,
               ComplexDouble* vt) {
  return LAPACKE(zgesdd)(LAPACK_ROW_MAJOR, parts, m, n, a, n, s, u, ldu, vt, n);
}

std::vector<ExtendedComplex> Paired(const std::vector<double>& real, const std::vector<double>& imaginary) {
  std::vector<ExtendedComplex> values;
  for (std::size_t i = 0; i < real.size(); ++i) values.emplace_back(real[i], imaginary[i]);
  return values;
}

lapack_int Gees(lapack_int n, Double* a, Double* vectors, std::vector<ExtendedComplex>& values) {
  std::vector<double> real(n), imaginary(n);
  lapack_int selected = 0;
  const lapack_int info = LAPACKE(dgees)(LAPACK_ROW_MAJOR, 'V', 'N', nullptr, n, a, n, &selected, real.data(),
                                         imaginary.data(), vectors, n);
  values = Paired(real, imaginary);
  return info;
}
lapack_int Gees(lapack_int n, ComplexDouble* a, ComplexDouble* vectors, std::vector<ExtendedComplex>& values) {
  std::vector<ComplexDouble> w(n);
  lapack_int selected = 0;
  const lapack_int info = LAPACKE(zgees)(LAPACK_ROW_MAJOR, 'V', 'N', nullptr, n, a, n, &selected, w.data(), vectors, n);
  values = WidenedValues<ExtendedComplex>(w);
  return info;
}

// Returns the eigenvectors of LAPACK's packed form: columns j and j + 1 are the real and imaginary part of the
// eigenvector of a pair of complex eigenvalues.
Matrix<ExtendedComplex> Unpacked(lapack_int n, const std::vector<double>& imaginary,
                                 const std::vector<double>& packed) {
  Matrix<ExtendedComplex> vectors(n, n);
  for (lapack_int j = 0; j < n; ++j) {
    const bool is_pair = imaginary[j] != 0 && j + 1 < n;
    for (lapack_int i = 0; i < n; ++i) {
      const double real = packed[i * n + j];
      vectors(i, j) = is_pair ? ExtendedComplex(real, packed[i * n + j + 1]) : ExtendedComplex(real);
      if (is_pair) vectors(i, j + 1) = std::conj(vectors(i, j));
    }
    if (is_pair) ++j;
  }
  return vectors;
}

GeneralEigen Geev(lapack_int n, std::vector<Double> a, char left, char right) {
  std::vector<double> real(n), imaginary(n), vl(n * n), vr(n * n);
  GeneralEigen eigen;
  eigen.info = LAPACKE(dgeev)(LAPACK_ROW_MAJOR, left, right, n, a.data(), n, real.data(), imaginary.data(), vl.data(),
                              n, vr.data(), n);
  eigen.values = Paired(real, imaginary);
  eigen.left = Unpacked(n, imaginary, vl);
  eigen.right = Unpacked(n, imaginary, vr);
  return eigen;
}
GeneralEigen Geev(lapack_int n, std::vector<ComplexDouble> a, char left, char right) {
  std::vector<ComplexDouble> w(n), vl(n * n), vr(n * n);
  GeneralEigen eigen;
  eigen.info = LAPACKE(zgeev)(LAPACK_ROW_MAJOR, left, right, n, a.data(), n, w.data(), vl.data(), n, vr.data(), n);
  eigen.values = WidenedValues<ExtendedComplex>(w);
  eigen.left = WidenedMatrix<ExtendedComplex>(n, n, vl);
  eigen.right = WidenedMatrix<ExtendedComplex>(n, n, vr);
  return eigen;
}

#undef LAPACKE

}  // namespace

template <class T>
HermitianEigen<T> EigenOfHermitian(const Matrix<T>& a) {
  return Uninterruptible([a] {
    auto [elements, unit] = ScaledBack<T>(a);
    std::vector<double> values(a.rows);
    HermitianEigen<T> eigen;
    eigen.info = Evd(static_cast<lapack_int>(a.rows), elements.data(), values.data());
    eigen.values = TimesScale(WidenedValues<Extended>(values), unit);
    eigen.vectors = WidenedMatrix<T>(a.rows, a.rows, elements);
    return eigen;
  });
}
template HermitianEigen<Extended> EigenOfHermitian(const Matrix<Extended>&);
template HermitianEigen<ExtendedComplex> EigenOfHermitian(const Matrix<ExtendedComplex>&);

template <class T>
SingularValues<T> SingularValuesOf(const Matrix<T>& a, char parts) {
  return Uninterruptible([a, parts] {
    const std::int64_t m = a.rows, n = a.columns, k = std::min(m, n);
    const std::int64_t u_columns = parts == 'A' ? m : k, vt_rows = parts == 'A' ? n : k;
    auto [elements, unit] = ScaledBack<T>(a);
    std::vector<double> values(k);
    std::vector<typename Narrow<T>::Type> u(m * u_columns), vt(vt_rows * n);
    SingularValues<T> result;
    result.info = Sdd(parts, static_cast<lapack_int>(m), static_cast<lapack_int>(n), elements.data(), values.data(),
                      u.data(), static_cast<lapack_int>(u_columns), vt.data());
    result.values = TimesScale(WidenedValues<Extended>(values), unit);
    result.u = WidenedMatrix<T>(m, u_columns, u);
    result.vt = WidenedMatrix<T>(vt_rows, n, vt);
    return result;
  });
}
template SingularValues<Extended> SingularValuesOf(const Matrix<Extended>&, char);
template SingularValues<ExtendedComplex> SingularValuesOf(const Matrix<ExtendedComplex>&, char);

template <class T>
Schur<T> SchurOf(const Matrix<T>& a) {
  return Uninterruptible([a] {
    auto [form, unit] = ScaledBack<T>(a);
    auto vectors = form;
    Schur<T> schur;
    schur.info = Gees(static_cast<lapack_int>(a.rows), form.data(), vectors.data(), schur.values);
    schur.values = TimesScale(std::move(schur.values), unit);
    schur.form = WidenedMatrix<T>(a.rows, a.rows, form);
    schur.form.elements = TimesScale(std::move(schur.form.elements), unit);
    schur.vectors = WidenedMatrix<T>(a.rows, a.rows, vectors);
    return schur;
  });
}
template Schur<Extended> SchurOf(const Matrix<Extended>&);
template Schur<ExtendedComplex> SchurOf(const Matrix<ExtendedComplex>&);

template <class T>
GeneralEigen EigenOf(const Matrix<T>& a, bool left, bool right) {
  return Uninterruptible([a, left, right] {
    const ScaledBack<T> scaled(a);
    GeneralEigen eigen = Geev(static_cast<lapack_int>(a.rows), scaled.elements, left ? 'V' : 'N', right ? 'V' : 'N');
    eigen.values = TimesScale(std::move(eigen.values), scaled.unit);
    return eigen;
  });
}
template GeneralEigen EigenOf(const Matrix<Extended>&, bool, bool);
template GeneralEigen EigenOf(const Matrix<ExtendedComplex>&, bool, bool);

}  // namespace assay
