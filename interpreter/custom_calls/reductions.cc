#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/ffi_attributes.h"
#include "interpreter/custom_calls/householder.h"
#include "interpreter/custom_calls/lapack.h"
#include "interpreter/custom_calls/stand_in.h"

namespace assay {
namespace {

// Computes a := H^H a H.
template <class T>
void Transform(const Reflector<T>& reflector, Matrix<T>& a) {
  ApplyFromLeft(Conjugate(reflector.tau), reflector.v, a);
  ApplyFromRight(reflector.tau, reflector.v, a);
}

template <class T>
Matrix<T> Transformed(const Matrix<T>& q, const Matrix<T>& a) {
  return q * a * Adjoint(q);
}

// --- Hessenberg form (gehrd) ---

// Rows and columns `low` to `high` - 1 are reduced; the others are upper triangular already.
struct Range {
  std::int64_t low;
  std::int64_t high;
};

Result<Range> RangeOf(const HloInstruction& call, std::int64_t n) {
  ASSAY_TRY(const std::int64_t low, FfiInteger(call, "low"));
  ASSAY_TRY(const std::int64_t high, FfiInteger(call, "high"));
  const bool is_range = n == 0 ? low == 1 && high == 0 : 1 <= low && low <= high && high <= n;
  if (!is_range) {
    return BadCall(call, "backend_config must have 1 <= low <= high <= {}, found {} and {}", n, low, high);
  }
  return Range{low - 1, high};
}

Status CheckHessenberg(const HloInstruction& call) {
  ASSAY_TRY(const MatrixBatch batch, CheckSquareBatch(call, 1));
  ASSAY_TRY([[maybe_unused]] const Range range, RangeOf(call, batch.rows));
  return CheckResultIs(call, {batch.Matrices(batch.rows, batch.rows),
                              batch.Vectors(std::max<std::int64_t>(batch.rows - 1, 0)), batch.Info()});
}

template <class T>
void ReduceToHessenberg(Matrix<T>& a, std::vector<T>& taus, const Range& range) {
  Matrix<T> reflectors(a.rows, a.rows);
  for (std::int64_t k = range.low; k + 1 < range.high; ++k) {
    std::vector<T> column(a.rows);
    for (std::int64_t i = k + 1; i < range.high; ++i) column[i] = a(i, k);
    Extended beta = 0;
    const Reflector<T> reflector = Annihilate(column, k + 1, beta);
    Transform(reflector, a);
    a(k + 1, k) = beta;
    for (std::int64_t i = k + 2; i < range.high; ++i) {
      a(i, k) = 0;
      reflectors(i, k) = reflector.v[i];
    }
    taus[k] = reflector.tau;
  }
  for (std::size_t i = 0; i < a.elements.size(); ++i) a.elements[i] += reflectors.elements[i];
}

Literal EvaluateHessenberg(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  const MatrixBatch batch = BatchOf(call);
  const Range range = *RangeOf(call, batch.rows);
  return EvaluateEachProblem(call, batch, [&]<class T>(std::int64_t problem, LapackResult& result) {
    Matrix<T> a = LoadMatrix<T>(operands[0], problem);
    if (!AreAllFinite(a.elements)) return result.StoreNan(problem, batch.count());
    std::vector<T> taus(std::max<std::int64_t>(batch.rows - 1, 0));
    ReduceToHessenberg(a, taus, range);
    result.Store(0, problem, a);
    result.Store(1, problem, taus);
  });
}

template <class T>
void JudgeHessenbergOf(PrimitiveType type, const Range& range, const Matrix<T>& a, const Matrix<T>& packed,
                       const std::vector<T>& taus, Properties& properties) {
  const std::int64_t n = a.rows;
  Matrix<T> form = packed, reflectors(n, n);
  bool is_untouched = true;
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = j + 1; i < n; ++i) {
      const bool is_reduced = range.low <= j && i < range.high;
      if (!is_reduced) is_untouched &= form(i, j) == a(i, j);
      if (!is_reduced || i == j + 1) continue;
      reflectors(i, j) = form(i, j);
      form(i, j) = 0;
    }
  }
  const Matrix<T> q = ProductOf(UnpackReflectors(reflectors, taus, 1), n, n);
  properties.Holds("what is not to be reduced is the operand's", is_untouched);
  properties.Ratio("Q H Q^H = A", type, Norm1(Transformed(q, form) - a), Norm1(a), n);
  properties.Ratio("Q^H Q = I", type, DepartureFromOrthonormality(q), 1, n);
}

PropertyReport JudgeHessenberg(const HloInstruction& call, std::span<const Literal> operands, const Literal&,
                               const Literal& got) {
  const MatrixBatch batch = BatchOf(call);
  return JudgeEachProblem(batch, [&]<class T>(std::int64_t problem, Properties& properties) {
    const Matrix<T> a = LoadMatrix<T>(operands[0], problem);
    if (!AreAllFinite(a.elements)) return properties.Open(kNotFinite);
    properties.Holds("info = 0", got.elements()[2].IntegerAt(problem) == 0);
    JudgeHessenbergOf(batch.type, *RangeOf(call, batch.rows), a, LoadMatrix<T>(got.elements()[0], problem),
                      LoadVector<T>(got.elements()[1], problem), properties);
  });
}

// --- Tridiagonal form (sytrd, hetrd) ---

Status CheckTridiagonal(const HloInstruction& call) {
  ASSAY_TRY(const MatrixBatch batch, CheckSquareBatch(call, 1));
  ASSAY_CHECK_OK(ReadsLower(call));
  const std::int64_t off_diagonal = std::max<std::int64_t>(batch.rows - 1, 0);
  return CheckResultIs(call, {batch.Matrices(batch.rows, batch.rows), batch.RealVectors(batch.rows),
                              batch.RealVectors(off_diagonal), batch.Vectors(off_diagonal), batch.Info()});
}

template <class T>
struct Tridiagonal {
  Matrix<T> packed;
  std::vector<Extended> diagonal;
  std::vector<Extended> off_diagonal;
  std::vector<T> taus;
};

// Reduces to tridiagonal form. Reflector k of the lower form annihilates column k below row k + 1, in ascending order.
// Reflector k of the upper form annihilates column k + 1 above row k, in descending order.
template <class T>
Tridiagonal<T> ReduceToTridiagonal(const Matrix<T>& stored, bool lower) {
  const std::int64_t n = stored.rows;
  Matrix<T> a = HermitianOfTriangle(stored, lower);
  Tridiagonal<T> result{stored, {}, std::vector<Extended>(std::max<std::int64_t>(n - 1, 0)), {}};
  result.taus.resize(result.off_diagonal.size());
  for (std::int64_t step = 0; step + 1 < n; ++step) {
    const std::int64_t k = lower ? step : n - 2 - step;
    const std::int64_t column = lower ? k : k + 1, pivot = lower ? k + 1 : k;
    std::vector<T> y(n);
    for (std::int64_t i = lower ? pivot : 0; i < (lower ? n : k + 1); ++i) y[i] = a(i, column);
    const Reflector<T> reflector = Annihilate(y, pivot, result.off_diagonal[k]);
    Transform(reflector, a);
    result.taus[k] = reflector.tau;
    for (std::int64_t i = lower ? pivot : 0; i < (lower ? n : k + 1); ++i) {
      result.packed(i, column) = i == pivot ? T(result.off_diagonal[k]) : reflector.v[i];
      a(i, column) = a(column, i) = i == pivot ? T(result.off_diagonal[k]) : T(0);
    }
  }
  for (std::int64_t i = 0; i < n; ++i) {
    result.diagonal.push_back(RealPart(a(i, i)));
    result.packed(i, i) = result.diagonal.back();
  }
  return result;
}

Literal EvaluateTridiagonal(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  const MatrixBatch batch = BatchOf(call);
  return EvaluateEachProblem(call, batch, [&]<class T>(std::int64_t problem, LapackResult& result) {
    const Matrix<T> stored = LoadMatrix<T>(operands[0], problem);
    if (!AreAllFinite(HermitianOfTriangle(stored, *ReadsLower(call)).elements))
      return result.StoreNan(problem, batch.count());
    const Tridiagonal<T> form = ReduceToTridiagonal(stored, *ReadsLower(call));
    result.Store(0, problem, form.packed);
    result.Store(1, problem, form.diagonal);
    result.Store(2, problem, form.off_diagonal);
    result.Store(3, problem, form.taus);
  });
}

template <class T>
std::vector<Reflector<T>> ReflectorsOf(const Tridiagonal<T>& form, bool lower) {
  if (lower) {
    Matrix<T> below = form.packed;
    return UnpackReflectors(below, form.taus, 1);
  }
  std::vector<Reflector<T>> reflectors;
  for (std::int64_t k = form.packed.rows - 2; k >= 0; --k) {
    Reflector<T> reflector{form.taus[k], std::vector<T>(form.packed.rows)};
    reflector.v[k] = 1;
    for (std::int64_t i = 0; i < k; ++i) reflector.v[i] = form.packed(i, k + 1);
    reflectors.push_back(std::move(reflector));
  }
  return reflectors;
}

template <class T>
void JudgeTridiagonalOf(const HloInstruction& call, const Matrix<T>& stored, const Tridiagonal<T>& got,
                        Properties& properties) {
  const bool lower = *ReadsLower(call);
  const PrimitiveType type = BatchOf(call).type;
  const std::int64_t n = stored.rows;
  const Matrix<T> a = HermitianOfTriangle(stored, lower);
  Matrix<T> form(n, n);
  bool is_rest_kept = true, is_in_place = true;
  for (std::int64_t i = 0; i < n; ++i) {
    form(i, i) = got.diagonal[i];
    is_in_place &= got.packed(i, i) == form(i, i);
    if (i + 1 < n) {
      form(i, i + 1) = form(i + 1, i) = got.off_diagonal[i];
      is_in_place &= (lower ? got.packed(i + 1, i) : got.packed(i, i + 1)) == form(i, i + 1);
    }
    for (std::int64_t j = i + 1; j < n; ++j) {
      const T& before = lower ? stored(i, j) : stored(j, i);
      is_rest_kept &= (lower ? got.packed(i, j) : got.packed(j, i)) == before || !std::isfinite(Magnitude(before));
    }
  }
  const Matrix<T> q = ProductOf(ReflectorsOf(got, lower), n, n);
  // The other libraries do not say what they leave there.
  if (IsLapack(call)) properties.Holds("the other triangle is the operand's", is_rest_kept);
  properties.Holds("the diagonals of the packed result are the others", is_in_place);
  properties.Ratio("Q T Q^H = A", type, Norm1(Transformed(q, form) - a), Norm1(a), n);
  properties.Ratio("Q^H Q = I", type, DepartureFromOrthonormality(q), 1, n);
}

PropertyReport JudgeTridiagonal(const HloInstruction& call, std::span<const Literal> operands, const Literal&,
                                const Literal& got) {
  const MatrixBatch batch = BatchOf(call);
  return JudgeEachProblem(batch, [&]<class T>(std::int64_t problem, Properties& properties) {
    const Matrix<T> stored = LoadMatrix<T>(operands[0], problem);
    if (!AreAllFinite(HermitianOfTriangle(stored, *ReadsLower(call)).elements)) return properties.Open(kNotFinite);
    properties.Holds("info = 0", got.elements()[4].IntegerAt(problem) == 0);
    const Tridiagonal<T> form = {
        LoadMatrix<T>(got.elements()[0], problem), LoadVector<Extended>(got.elements()[1], problem),
        LoadVector<Extended>(got.elements()[2], problem), LoadVector<T>(got.elements()[3], problem)};
    JudgeTridiagonalOf(call, stored, form, properties);
  });
}

const CustomCallTarget kReductionsTargets[] = {
    {
        .names = {"lapack_{s,d,c,z}gehrd_ffi"},
        .meaning = "Q H Q^H = A: the Hessenberg form H, and the reflectors of which Q is the product, packed below it.",
        .check = CheckHessenberg,
        .evaluate = EvaluateHessenberg,
        .properties = JudgeHessenberg,
    },
    {
        .names = {"lapack_{s,d}sytrd_ffi", "lapack_{c,z}hetrd_ffi", "{cu,hip,oneapi}solver_sytrd_ffi"},
        .meaning = "Q T Q^H = A for Hermitian A: the tridiagonal form T, real, and the packed reflectors of Q.",
        .check = CheckTridiagonal,
        .evaluate = EvaluateTridiagonal,
        .properties = JudgeTridiagonal,
    },
};

}  // namespace

const TargetFamily targets_reductions = kReductionsTargets;

}  // namespace assay
