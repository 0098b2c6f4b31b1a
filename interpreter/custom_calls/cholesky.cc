#include <cmath>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/ffi_attributes.h"
#include "interpreter/custom_calls/lapack.h"
#include "interpreter/custom_calls/lapacke.h"
#include "interpreter/custom_calls/stand_in.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Status CheckCholesky(const HloInstruction& call) {
  ASSAY_TRY(const MatrixBatch batch, CheckSquareBatch(call, 1));
  ASSAY_TRY([[maybe_unused]] const bool lower, ReadsLower(call));
  return CheckResultIs(call, {batch.Matrices(batch.rows, batch.rows), batch.Info()});
}

Literal CholeskyFactors(Literal matrices, bool lower) {
  return Apply(op_cholesky, {std::move(matrices)}, {{"lower", lower}});
}

// Returns the first k rows and columns of a matrix as a literal.
template <class T>
Literal LeadingMinor(const Matrix<T>& a, PrimitiveType type, std::int64_t k) {
  Matrix<T> minor(k, k);
  for (std::int64_t i = 0; i < k; ++i) {
    for (std::int64_t j = 0; j < k; ++j) minor(i, j) = a(i, j);
  }
  Literal value(ShapeUtil::MakeShape(type, {k, k}));
  StoreElements(minor.elements, value.shape(), value.mutable_data(), 0);
  return value;
}

// Returns the order of the smallest leading minor that is not positive definite, for a matrix that is not.
template <class T>
std::int64_t FirstBadMinor(const Matrix<T>& a, PrimitiveType type, bool lower) {
  std::int64_t good = 0, bad = a.rows;
  while (bad - good > 1) {
    const std::int64_t middle = (good + bad) / 2;
    const Literal factor = CholeskyFactors(LeadingMinor(a, type, middle), lower);
    (std::isnan(RealPart(LoadMatrix<T>(factor, 0)(0, 0))) ? bad : good) = middle;
  }
  return bad;
}

// Returns the factors; a factorization that fails returns the operand.
Literal EvaluateCholesky(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  const MatrixBatch batch = BatchOf(call);
  const bool lower = *ReadsLower(call);
  const Literal factors = CholeskyFactors(operands[0], lower);
  return EvaluateEachProblem(call, batch, [&]<class T>(std::int64_t problem, LapackResult& result) {
    Matrix<T> a = LoadMatrix<T>(operands[0], problem);
    const Matrix<T> factor = LoadMatrix<T>(factors, problem);
    const bool has_failed = a.rows > 0 && std::isnan(RealPart(factor(0, 0)));
    result.StoreInfo(1, problem, has_failed ? FirstBadMinor(a, batch.type, lower) : 0);
    for (std::int64_t i = 0; i < a.rows && !has_failed; ++i) {
      for (std::int64_t j = 0; j <= i; ++j) (lower ? a(i, j) : a(j, i)) = lower ? factor(i, j) : factor(j, i);
    }
    result.Store(0, problem, a);
  });
}

// True if rounding errors may decide whether the factorization succeeds: the least eigenvalue of the matrix, scaled to
// a unit diagonal, is at most `kTestThreshold` times n ULP in magnitude (J. Demmel; N. J. Higham, Accuracy and
// Stability of Numerical Algorithms, 2nd edition, theorem 10.7).
template <class T>
bool IsNearlyIndefinite(Matrix<T> a, PrimitiveType type) {
  std::vector<Extended> diagonal;
  for (std::int64_t i = 0; i < a.rows; ++i) diagonal.push_back(RealPart(a(i, i)));
  for (Extended d : diagonal) {
    if (!(d > 0)) return false;
  }
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = 0; j < a.rows; ++j) a(i, j) /= std::sqrt(diagonal[i]) * std::sqrt(diagonal[j]);
  }
  const HermitianEigen<T> eigen = EigenOfHermitian(a);
  return eigen.info != 0 || std::fabs(eigen.values[0]) <= kTestThreshold * a.rows * UlpOf(type);
}

template <class T>
void JudgeCholeskyProblem(const HloInstruction& call, const Matrix<T>& operand, const Matrix<T>& got, std::int64_t info,
                          std::int64_t wanted_info, Properties& properties) {
  const bool lower = *ReadsLower(call);
  const PrimitiveType type = BatchOf(call).type;
  const Matrix<T> a = HermitianOfTriangle(operand, lower);
  if (!AreAllFinite(a.elements)) return properties.Open(kNotFinite);
  if (info != wanted_info) {
    if (IsNearlyIndefinite(a, type))
      return properties.Open("a matrix that is positive definite or not, within rounding errors");
    return properties.Holds("info is the order of the first minor that is not positive definite", false);
  }
  if (info != 0) return properties.Open("what a factorization leaves that fails");
  bool is_rest_kept = true;
  Matrix<T> factor(a.rows, a.rows);
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = 0; j < a.rows; ++j) {
      const bool is_factor = lower ? j <= i : i <= j;
      if (is_factor)
        factor(i, j) = got(i, j);
      else
        is_rest_kept &= operand(i, j) == got(i, j) || !std::isfinite(Magnitude(operand(i, j)));
    }
  }
  properties.Holds("the other triangle is the operand's", is_rest_kept);
  JudgeCholeskyFactor(a, factor, lower, type, properties);
}

PropertyReport JudgeCholesky(const HloInstruction& call, std::span<const Literal> operands, const Literal& want,
                             const Literal& got) {
  const MatrixBatch batch = BatchOf(call);
  return JudgeEachProblem(batch, [&]<class T>(std::int64_t problem, Properties& properties) {
    JudgeCholeskyProblem(call, LoadMatrix<T>(operands[0], problem), LoadMatrix<T>(got.elements()[0], problem),
                         got.elements()[1].IntegerAt(problem), want.elements()[1].IntegerAt(problem), properties);
  });
}

const CustomCallTarget kCholeskyTargets[] = {{
    .names = {"lapack_{s,d,c,z}potrf_ffi", "{cu,hip,oneapi}solver_potrf_ffi"},
    .meaning = "The Cholesky factor of each matrix, in one triangle; the other one is the operand's.",
    .check = CheckCholesky,
    .evaluate = EvaluateCholesky,
    .properties = JudgeCholesky,
    .has_one_result = HasOneResult,
}};

}  // namespace

const TargetFamily targets_cholesky = kCholeskyTargets;

}  // namespace assay
