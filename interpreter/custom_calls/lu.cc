#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/lapack.h"
#include "interpreter/types/limits.h"

namespace assay {
namespace {

Status CheckLu(const HloInstruction& call) {
  ASSAY_TRY(const MatrixBatch batch, CheckBatch(call, 1));
  return CheckResultIs(call,
                       {batch.Matrices(batch.rows, batch.columns), batch.Integers(batch.smaller_side()), batch.Info()});
}

// Returns the magnitude by which LAPACK compares pivots (BLAS's cabs1).
Extended PivotMagnitude(Extended x) { return std::fabs(x); }
Extended PivotMagnitude(const ExtendedComplex& x) { return std::fabs(x.real()) + std::fabs(x.imag()); }

template <class T>
void SwapRows(Matrix<T>& a, std::int64_t i, std::int64_t j) {
  if (i == j) return;
  for (std::int64_t column = 0; column < a.columns; ++column) std::swap(a(i, column), a(j, column));
}

// Returns the number, from 1, of the first diagonal element that is zero; 0 if there is none.
template <class T>
std::int64_t FirstZeroPivot(const Matrix<T>& a) {
  for (std::int64_t i = 0; i < std::min(a.rows, a.columns); ++i) {
    if (a(i, i) == T(0)) return i + 1;
  }
  return 0;
}

// Factors in place: L below the diagonal, U on and above it. Returns the pivots, numbered from 1.
template <class T>
std::vector<Extended> FactorLu(Matrix<T>& a) {
  std::vector<Extended> pivots;
  for (std::int64_t k = 0; k < std::min(a.rows, a.columns); ++k) {
    std::int64_t pivot = k;
    for (std::int64_t i = k + 1; i < a.rows; ++i) {
      if (PivotMagnitude(a(i, k)) > PivotMagnitude(a(pivot, k))) pivot = i;
    }
    pivots.push_back(pivot + 1);
    if (a(pivot, k) == T(0)) continue;
    SwapRows(a, k, pivot);
    CheckLimits();
    for (std::int64_t i = k + 1; i < a.rows; ++i) {
      a(i, k) /= a(k, k);
      for (std::int64_t j = k + 1; j < a.columns; ++j) a(i, j) -= a(i, k) * a(k, j);
    }
  }
  return pivots;
}

Literal EvaluateLu(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  const MatrixBatch batch = BatchOf(call);
  LapackResult result(call.shape);
  ForEachProblem(batch, [&]<class T>(std::int64_t problem) {
    Matrix<T> a = LoadMatrix<T>(operands[0], problem);
    if (!IsFinite(a.elements)) return result.StoreNan(problem, batch.count());
    result.Store(1, problem, FactorLu(a));
    result.Store(0, problem, a);
    result.StoreInfo(2, problem, FirstZeroPivot(a));
  });
  return std::move(result).Take();
}

// The largest of real elements is the pivot; libraries compare complex ones by different norms.
bool HasOnePivot(const HloInstruction& call) { return !IsComplexType(BatchOf(call).type); }

template <class T>
void JudgeLuProblem(PrimitiveType type, const Matrix<T>& operand, const Matrix<T>& packed,
                    const std::vector<Extended>& pivots, std::int64_t info, Properties& properties) {
  if (!IsFinite(operand.elements)) return properties.Open(kNotFinite);
  const std::int64_t m = operand.rows, k = std::min(m, operand.columns);
  Matrix<T> l(m, k), u(k, operand.columns), permuted = operand;
  Extended largest = 0;
  bool are_rows = true;
  for (std::int64_t i = 0; i < k; ++i) {
    l(i, i) = 1;
    for (std::int64_t row = i + 1; row < m; ++row) {
      l(row, i) = packed(row, i);
      largest = std::max(largest, PivotMagnitude(l(row, i)));
    }
    for (std::int64_t j = i; j < operand.columns; ++j) u(i, j) = packed(i, j);
    are_rows &= pivots[i] >= i + 1 && pivots[i] <= m;
    if (are_rows) SwapRows(permuted, i, static_cast<std::int64_t>(pivots[i]) - 1);
  }
  properties.Holds("pivot i is a row from i on", are_rows);
  // A pivot is the largest by |re| + |im|, which a division may double.
  const Extended limit = (std::is_same_v<T, Extended> ? 1 : 2) * (1 + kTestThreshold * UlpOf(type));
  properties.Holds("no element of L is larger than its pivot", largest <= limit);
  properties.Holds("info is the first zero on the diagonal of U", info == FirstZeroPivot(packed));
  properties.Ratio("P L U = A", type, Norm1(l * u - permuted), Norm1(operand), std::max(m, operand.columns));
}

PropertyReport JudgeLu(const HloInstruction& call, std::span<const Literal> operands, const Literal&,
                       const Literal& got) {
  const MatrixBatch batch = BatchOf(call);
  return JudgeEachProblem(batch, [&]<class T>(std::int64_t problem, Properties& properties) {
    JudgeLuProblem(batch.type, LoadMatrix<T>(operands[0], problem), LoadMatrix<T>(got.elements()[0], problem),
                   LoadVector<Extended>(got.elements()[1], problem), got.elements()[2].IntegerAt(problem), properties);
  });
}

const CustomCallTarget kLuTargets[] = {{
    .names = {"lapack_sgetrf_ffi", "lapack_dgetrf_ffi", "lapack_cgetrf_ffi", "lapack_zgetrf_ffi", "cusolver_getrf_ffi",
              "hipsolver_getrf_ffi"},
    .meaning = "The factors of P L U = A with partial pivoting, packed, and the rows that were exchanged, from 1.",
    .check = CheckLu,
    .evaluate = EvaluateLu,
    .acceptance = Acceptance::kProperties,
    .properties = JudgeLu,
    .has_one_result = HasOnePivot,
}};

}  // namespace

const TargetFamily targets_lu = kLuTargets;

}  // namespace assay
