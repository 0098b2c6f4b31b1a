#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/householder.h"
#include "interpreter/custom_calls/lapack.h"
#include "interpreter/types/limits.h"

namespace assay {
namespace {

Status CheckQr(const HloInstruction& call) {
  ASSAY_TRY(const MatrixBatch batch, CheckBatch(call, 1));
  return CheckResultIs(call, {batch.Matrices(batch.rows, batch.columns), batch.Vectors(batch.smaller_side())});
}

Status CheckPivotedQr(const HloInstruction& call) {
  ASSAY_TRY(const MatrixBatch batch, CheckBatch(call, 2));
  ASSAY_CHECK_OK(CheckOperandIs(call, 1, batch.Integers(batch.columns)));
  return CheckResultIs(call, {batch.Matrices(batch.rows, batch.columns), batch.Integers(batch.columns),
                              batch.Vectors(batch.smaller_side())});
}

template <class T>
void SwapColumns(Matrix<T>& a, std::int64_t i, std::int64_t j) {
  if (i == j) return;
  for (std::int64_t row = 0; row < a.rows; ++row) std::swap(a(row, i), a(row, j));
}

template <class T>
struct Factorization {
  Matrix<T> packed;  // R on and above the diagonal, the reflectors below it
  std::vector<T> taus;
  std::vector<Extended> order;  // the columns of A, numbered from 1, in the order of elimination
};

// Computes Householder's factorization, with some rows of R negated. If `pivots`, columns with a nonzero `fixed` come
// first, and the others follow by the largest remaining norm; otherwise columns keep their order.
template <class T>
Factorization<T> FactorQr(Matrix<T> r, const std::vector<Extended>& fixed, bool pivots,
                          const std::function<bool(std::int64_t row)>& is_negated) {
  Factorization<T> result;
  std::int64_t first_free = 0;
  for (std::int64_t j = 0; j < r.columns; ++j) result.order.push_back(j + 1);
  for (std::int64_t j = 0; j < r.columns && pivots; ++j) {
    if (fixed[j] == 0) continue;
    SwapColumns(r, j, first_free);
    std::swap(result.order[j], result.order[first_free++]);
  }
  Matrix<T> reflectors(r.rows, r.columns);
  for (std::int64_t k = 0; k < std::min(r.rows, r.columns); ++k) {
    std::int64_t pivot = k;
    for (std::int64_t j = k + 1; j < r.columns && pivots && k >= first_free; ++j) {
      CheckLimits();
      if (ColumnNorm(r, j, k, r.rows) > ColumnNorm(r, pivot, k, r.rows)) pivot = j;
    }
    SwapColumns(r, k, pivot);
    std::swap(result.order[k], result.order[pivot]);
    std::vector<T> column(r.rows);
    for (std::int64_t i = k; i < r.rows; ++i) column[i] = r(i, k);
    Extended beta = 0;
    const Reflector<T> reflector = Annihilate(column, k, beta, is_negated(k));
    ApplyFromLeft(Conjugate(reflector.tau), reflector.v, r);
    r(k, k) = beta;
    for (std::int64_t i = k + 1; i < r.rows; ++i) {
      r(i, k) = 0;
      reflectors(i, k) = reflector.v[i];
    }
    result.taus.push_back(reflector.tau);
  }
  result.packed = r;
  for (std::size_t i = 0; i < r.elements.size(); ++i) result.packed.elements[i] += reflectors.elements[i];
  return result;
}

// True if a column is nearly a sum of those before it: rounding errors decide about that of Q.
template <class T>
bool HasDependentColumns(const Matrix<T>& packed, PrimitiveType type) {
  const std::int64_t k = std::min(packed.rows, packed.columns);
  Extended least = k == 0 ? 1 : INFINITY;
  for (std::int64_t i = 0; i < k; ++i) least = std::min(least, Magnitude(packed(i, i)));
  constexpr Extended kFarFromRounding = 512;
  return !(least > kFarFromRounding * UlpOf(type) * Norm1(UpperTriangle(packed, k)));
}

// Returns nullopt if the signs are random, and more than these is free.
template <bool kPivots>
std::optional<Literal> QrFactorsOf(const HloInstruction& call, std::span<const Literal> operands,
                                   const FreePhases& phases) {
  const MatrixBatch batch = BatchOf(call);
  LapackResult result(call.shape);
  std::atomic<bool> is_known = true;
  ForEachProblem(batch, [&]<class T>(std::int64_t problem) {
    const Matrix<T> a = LoadMatrix<T>(operands[0], problem);
    if (!AreAllFinite(a.elements)) return result.StoreNan(problem, batch.count());
    const auto fixed = kPivots ? LoadVector<Extended>(operands[1], problem) : std::vector<Extended>();
    const auto is_negated = [&](std::int64_t row) { return phases.IsNegative(problem, row); };
    const Factorization<T> factors = FactorQr(a, fixed, kPivots, is_negated);
    if (phases.AreRandom() && HasDependentColumns(factors.packed, batch.type)) is_known = false;
    result.Store(0, problem, factors.packed);
    if (kPivots) result.Store(1, problem, factors.order);
    result.Store(kPivots ? 2 : 1, problem, factors.taus);
  });
  if (!is_known) return std::nullopt;
  return std::move(result).Take();
}

// Judges the factors; a is operand 0 with its columns in the order of the result.
template <class T>
void JudgeFactors(PrimitiveType type, const Matrix<T>& a, const Matrix<T>& packed, const std::vector<T>& taus,
                  Properties& properties) {
  const std::int64_t k = std::min(a.rows, a.columns), size = std::max(a.rows, a.columns);
  const Matrix<T> q = ProductOf(UnpackReflectors(packed, taus, 0), a.rows, k);
  const Matrix<T> r = UpperTriangle(packed, k);
  properties.Ratio("Q R = A", type, Norm1(q * r - a), Norm1(a), size);
  properties.Ratio("Q^H Q = I", type, DepartureFromOrthonormality(q), 1, size);
}

// Orders the columns of a; false if the order is not a permutation that begins with the fixed columns in their order.
template <class T>
bool Reorder(Matrix<T>& a, const std::vector<Extended>& order, const std::vector<Extended>& fixed) {
  Matrix<T> reordered(a.rows, a.columns);
  std::vector<bool> is_taken(a.columns, false);
  const auto fixed_count = static_cast<std::size_t>(std::ranges::count_if(fixed, [](Extended f) { return f != 0; }));
  for (std::size_t j = 0; j < order.size(); ++j) {
    if (!(order[j] >= 1 && order[j] <= a.columns)) return false;
    const auto column = static_cast<std::int64_t>(order[j]) - 1;
    if (is_taken[column] || (j < fixed_count && fixed[column] == 0)) return false;
    is_taken[column] = true;
    for (std::int64_t i = 0; i < a.rows; ++i) reordered(i, static_cast<std::int64_t>(j)) = a(i, column);
  }
  a = std::move(reordered);
  return true;
}

// True if each diagonal element of R after the fixed columns is at least as large as the remaining norm of any later
// column. LAPACK updates the norms of columns instead of computing them anew, which keeps half of their digits (Z.
// Drmac and Z. Bujanovic, LAPACK Working Note 176).
template <class T>
bool TakesLargestColumns(const Matrix<T>& packed, std::int64_t first_free, PrimitiveType type) {
  const std::int64_t k = std::min(packed.rows, packed.columns);
  const Matrix<T> r = UpperTriangle(packed, k);
  const Extended slack = 1 + kTestThreshold * std::sqrt(UlpOf(type));
  const Extended rounding = kTestThreshold * UlpOf(type) * std::max(r.rows, r.columns) * Norm1(r);
  for (std::int64_t i = first_free; i < k; ++i) {
    for (std::int64_t j = i + 1; j < r.columns; ++j) {
      if (ColumnNorm(r, j, i, k) > slack * Magnitude(r(i, i)) + rounding) return false;
    }
  }
  return true;
}

template <bool kPivots>
PropertyReport JudgeQr(const HloInstruction& call, std::span<const Literal> operands, const Literal&,
                       const Literal& got) {
  const MatrixBatch batch = BatchOf(call);
  return JudgeEachProblem(batch, [&]<class T>(std::int64_t problem, Properties& properties) {
    Matrix<T> a = LoadMatrix<T>(operands[0], problem);
    if (!AreAllFinite(a.elements)) return properties.Open(kNotFinite);
    const Matrix<T> packed = LoadMatrix<T>(got.elements()[0], problem);
    if (kPivots) {
      const std::vector<Extended> fixed = LoadVector<Extended>(operands[1], problem);
      const bool is_order = Reorder(a, LoadVector<Extended>(got.elements()[1], problem), fixed);
      properties.Holds("an order of the columns that begins with the fixed ones", is_order);
      if (!is_order) return;
      properties.Holds(
          "the largest column is taken",
          TakesLargestColumns(packed, std::ranges::count_if(fixed, [](Extended f) { return f != 0; }), batch.type));
    }
    JudgeFactors(batch.type, a, packed, LoadVector<T>(got.elements()[kPivots ? 2 : 1], problem), properties);
  });
}

const CustomCallTarget kQrTargets[] = {
    {
        .names = {"lapack_{s,d,c,z}geqrf_ffi", "{cu,hip,oneapi}solver_geqrf_ffi", "Qr"},
        .meaning = "Q R = A: R, and the reflectors of which Q is the product, packed below it; their factors tau.",
        .check = CheckQr,
        .evaluate = EvaluateFactors<QrFactorsOf<false>>,
        .properties = JudgeQr<false>,
        .another = OtherFactors<QrFactorsOf<false>>,
    },
    {
        .names = {"lapack_{s,d,c,z}geqp3_ffi", "{cu,hip,oneapi}hybrid_geqp3"},
        .meaning = "The same of A with its columns in an order that is chosen by pivoting, and the order.",
        .check = CheckPivotedQr,
        .evaluate = EvaluateFactors<QrFactorsOf<true>>,
        .properties = JudgeQr<true>,
        // There is no other result: rounding errors may decide about pivots.
    },
};

}  // namespace

const TargetFamily targets_qr = kQrTargets;

}  // namespace assay
