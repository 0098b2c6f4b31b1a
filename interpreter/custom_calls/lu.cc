#include <algorithm>
#include <cmath>
#include <numeric>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/lapack.h"
#include "interpreter/types/limits.h"

namespace assay {
namespace {

// True for the TPU's target. It numbers rows from 0, and its last result is their permutation in place of `info`.
bool GivesPermutation(const HloInstruction& call) { return call.String("custom_call_target") == "LuDecomposition"; }

Status CheckLu(const HloInstruction& call) {
  ASSAY_TRY(const MatrixBatch batch, CheckBatch(call, 1));
  return CheckResultIs(call, {batch.Matrices(batch.rows, batch.columns), batch.Integers(batch.smaller_side()),
                              GivesPermutation(call) ? batch.Integers(batch.rows) : batch.Info()});
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

// Returns the order of the rows after these exchanges.
std::vector<Extended> PermutationOf(const std::vector<Extended>& pivots, std::int64_t first_number, std::int64_t rows) {
  std::vector<Extended> order(rows);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = 0; i < pivots.size(); ++i) {
    std::swap(order[i], order[static_cast<std::int64_t>(pivots[i]) - first_number]);
  }
  return order;
}

// Factors in place: L below the diagonal, U on and above it. Returns the pivots, numbered from `first_number`.
template <class T>
std::vector<Extended> FactorLu(Matrix<T>& a, std::int64_t first_number) {
  std::vector<Extended> pivots;
  for (std::int64_t k = 0; k < std::min(a.rows, a.columns); ++k) {
    std::int64_t pivot = k;
    for (std::int64_t i = k + 1; i < a.rows; ++i) {
      if (PivotMagnitude(a(i, k)) > PivotMagnitude(a(pivot, k))) pivot = i;
    }
    pivots.push_back(pivot + first_number);
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
  const std::int64_t first_number = GivesPermutation(call) ? 0 : 1;
  return EvaluateEachProblem(call, batch, [&]<class T>(std::int64_t problem, LapackResult& result) {
    Matrix<T> a = LoadMatrix<T>(operands[0], problem);
    if (!AreAllFinite(a.elements)) return result.StoreNan(problem, batch.count());
    const std::vector<Extended> pivots = FactorLu(a, first_number);
    result.Store(0, problem, a);
    result.Store(1, problem, pivots);
    if (GivesPermutation(call))
      result.Store(2, problem, PermutationOf(pivots, first_number, a.rows));
    else
      result.StoreInfo(2, problem, FirstZeroPivot(a));
  });
}

// The largest of real elements is the pivot; libraries compare complex ones by different norms.
bool HasOnePivot(const HloInstruction& call) { return !IsComplexType(BatchOf(call).type); }

// `last` is `info`, or the permutation of the rows.
template <class T>
void JudgeLuProblem(PrimitiveType type, const Matrix<T>& operand, const Matrix<T>& packed,
                    const std::vector<Extended>& pivots, const std::vector<Extended>& last, std::int64_t first_number,
                    Properties& properties) {
  if (!AreAllFinite(operand.elements)) return properties.Open(kNotFinite);
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
    are_rows &= pivots[i] >= i + first_number && pivots[i] < m + first_number;
    if (are_rows) SwapRows(permuted, i, static_cast<std::int64_t>(pivots[i]) - first_number);
  }
  properties.Holds("pivot i is a row from i on", are_rows);
  // A pivot is the largest by |re| + |im|, which a division may double.
  const Extended limit = (std::is_same_v<T, Extended> ? 1 : 2) * (1 + kTestThreshold * UlpOf(type));
  properties.Holds("no element of L is larger than its pivot", largest <= limit);
  if (first_number == 1) {
    properties.Holds("info is the first zero on the diagonal of U", last[0] == FirstZeroPivot(packed));
  } else if (are_rows) {
    properties.Holds("the permutation is that of the pivots", last == PermutationOf(pivots, 0, m));
  }
  properties.Ratio("P L U = A", type, Norm1(l * u - permuted), Norm1(operand), std::max(m, operand.columns));
}

PropertyReport JudgeLu(const HloInstruction& call, std::span<const Literal> operands, const Literal&,
                       const Literal& got) {
  const MatrixBatch batch = BatchOf(call);
  return JudgeEachProblem(batch, [&]<class T>(std::int64_t problem, Properties& properties) {
    const Literal& last = got.elements()[2];
    JudgeLuProblem(batch.type, LoadMatrix<T>(operands[0], problem), LoadMatrix<T>(got.elements()[0], problem),
                   LoadVector<Extended>(got.elements()[1], problem),
                   GivesPermutation(call) ? LoadVector<Extended>(last, problem)
                                          : std::vector<Extended>{Extended(last.IntegerAt(problem))},
                   GivesPermutation(call) ? 0 : 1, properties);
  });
}

const CustomCallTarget kLuTargets[] = {{
    .names = {"lapack_{s,d,c,z}getrf_ffi", "{cu,hip,oneapi}solver_getrf_ffi", "LuDecomposition"},
    .meaning = "The factors of P L U = A with partial pivoting, packed, and the rows that were exchanged.",
    .check = CheckLu,
    .evaluate = EvaluateLu,
    .properties = JudgeLu,
    .has_one_result = HasOnePivot,
}};

}  // namespace

const TargetFamily targets_lu = kLuTargets;

}  // namespace assay
