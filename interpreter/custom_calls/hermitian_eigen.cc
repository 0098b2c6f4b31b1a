#include <algorithm>
#include <atomic>
#include <cmath>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/ffi_attributes.h"
#include "interpreter/custom_calls/lapack.h"
#include "interpreter/custom_calls/lapacke.h"

namespace assay {
namespace {

// True if the call returns eigenvectors; cuSOLVER's target always does.
Result<bool> AsksForVectors(const HloInstruction& call) {
  if (call.String("custom_call_target").starts_with(kCusolver)) return true;
  ASSAY_TRY(const char mode, FfiLetter(call, "mode", "VN"));
  return mode == 'V';
}

Status CheckHermitianEigen(const HloInstruction& call) {
  ASSAY_TRY(const MatrixBatch batch, CheckSquareBatch(call, 1));
  ASSAY_TRY([[maybe_unused]] const bool has_vectors, AsksForVectors(call));
  ASSAY_TRY([[maybe_unused]] const bool lower, ReadsLower(call));
  return CheckResultIs(call, {batch.Matrices(batch.rows, batch.rows), batch.RealVectors(batch.rows), batch.Info()});
}

bool HasEigenvectors(const HloInstruction& call) { return *AsksForVectors(call); }

template <class T>
Matrix<T> LoadHermitian(const HloInstruction& call, const Literal& operand, std::int64_t problem) {
  return HermitianOfTriangle(LoadMatrix<T>(operand, problem), *ReadsLower(call));
}

// LAPACK leaves unspecified values in place of vectors that are not computed; here they are the operand. Returns
// nullopt if the phases are random, and more than these is free.
std::optional<Literal> EigenproblemsOf(const HloInstruction& call, std::span<const Literal> operands,
                                       const FreePhases& phases) {
  const MatrixBatch batch = BatchOf(call);
  LapackResult result(call.shape);
  std::atomic<bool> is_known = true;
  ForEachProblem(batch, [&]<class T>(std::int64_t problem) {
    if (batch.rows == 0) return;
    const Matrix<T> a = LoadHermitian<T>(call, operands[0], problem);
    if (!IsFinite(a.elements)) return result.StoreNan(problem, batch.count());
    HermitianEigen<T> eigen = EigenOfHermitian(a);
    const bool varies = phases.AreRandom() && HasEigenvectors(call);
    if (varies && AreDegenerate(eigen.values, Norm1(a), batch.type)) is_known = false;
    for (std::int64_t i = 0; varies && i < a.rows; ++i) {
      for (std::int64_t j = 0; j < a.rows; ++j) eigen.vectors(i, j) *= phases.Of<T>(problem, j);
    }
    result.Store(0, problem, HasEigenvectors(call) ? eigen.vectors : LoadMatrix<T>(operands[0], problem));
    result.Store(1, problem, eigen.values);
    result.StoreInfo(2, problem, eigen.info);
  });
  if (!is_known) return std::nullopt;
  return std::move(result).Take();
}

Literal EvaluateHermitianEigen(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  return *EigenproblemsOf(call, operands, FreePhases());
}

std::optional<Literal> OtherEigenvectors(const HloInstruction& call, std::span<const Literal> operands,
                                         std::uint64_t seed) {
  return EigenproblemsOf(call, operands, FreePhases(seed));
}

template <class T>
void JudgeEigenproblem(PrimitiveType type, const Matrix<T>& a, const Matrix<T>* vectors,
                       const std::vector<Extended>& values, const std::vector<Extended>& wanted,
                       Properties& properties) {
  const std::int64_t n = a.rows;
  properties.Holds("eigenvalues ascend", std::ranges::is_sorted(values));
  // Weyl's theorem: eigenvalues move by no more than the norm of a Hermitian perturbation.
  Extended distance = 0;
  for (std::size_t i = 0; i < values.size(); ++i) distance = Worse(distance, std::fabs(values[i] - wanted[i]));

  properties.Ratio("eigenvalues", type, distance, Norm1(a), n);
  if (vectors == nullptr) return;
  Matrix<T> scaled = *vectors;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) scaled(i, j) *= values[j];
  }
  properties.Ratio("A V = V W", type, Norm1(a * *vectors - scaled), Norm1(a), n);
  properties.Ratio("V^H V = I", type, DepartureFromOrthonormality(*vectors), 1, n);
}

PropertyReport JudgeHermitianEigen(const HloInstruction& call, std::span<const Literal> operands, const Literal& want,
                                   const Literal& got) {
  const MatrixBatch batch = BatchOf(call);
  return JudgeEachProblem(batch, [&]<class T>(std::int64_t problem, Properties& properties) {
    const Matrix<T> a = LoadHermitian<T>(call, operands[0], problem);
    if (!IsFinite(a.elements)) {
      properties.Open(kNotFinite);
    } else if (want.elements()[2].IntegerAt(problem) != 0) {
      properties.Open(kNotConverged);
    } else {
      properties.Holds("info = 0", got.elements()[2].IntegerAt(problem) == 0);
      const Matrix<T> vectors = LoadMatrix<T>(got.elements()[0], problem);
      JudgeEigenproblem(batch.type, a, HasEigenvectors(call) ? &vectors : nullptr,
                        LoadVector<Extended>(got.elements()[1], problem),
                        LoadVector<Extended>(want.elements()[1], problem), properties);
    }
  });
}

const CustomCallTarget kHermitianEigenTargets[] = {{
    .names = {"lapack_ssyevd_ffi", "lapack_dsyevd_ffi", "lapack_cheevd_ffi", "lapack_zheevd_ffi", "cusolver_syevd_ffi",
              "hipsolver_syevd_ffi"},
    .meaning = "Orthonormal eigenvectors V and ascending eigenvalues W of each Hermitian matrix.",
    .check = CheckHermitianEigen,
    .evaluate = EvaluateHermitianEigen,
    .acceptance = Acceptance::kProperties,
    .properties = JudgeHermitianEigen,
    .another = OtherEigenvectors,
}};

}  // namespace

const TargetFamily targets_hermitian_eigen = kHermitianEigenTargets;

}  // namespace assay
