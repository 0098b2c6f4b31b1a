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

// Returns the parts of U and V^H that are computed. A: all columns of U and rows of V^H; S: as many as there are
// singular values; N: none, and the results in their place are undefined.
Result<char> Parts(const HloInstruction& call) { return FfiLetter(call, "mode", "ASN"); }

Status CheckSingularValues(const HloInstruction& call) {
  ASSAY_TRY(const MatrixBatch batch, CheckBatch(call, 1));
  ASSAY_TRY(const char parts, Parts(call));
  const auto with_vectors = [&](std::int64_t columns, std::int64_t rows) {
    return CheckResultIs(call,
                         {batch.Matrices(batch.rows, batch.columns), batch.RealVectors(batch.smaller_side()),
                          batch.Matrices(batch.rows, columns), batch.Matrices(rows, batch.columns), batch.Info()});
  };
  const Status with_all = with_vectors(batch.rows, batch.columns);
  const Status with_some = with_vectors(batch.smaller_side(), batch.smaller_side());
  return parts == 'A' || (parts == 'N' && with_all) ? with_all : with_some;
}

// Multiplies pairs of singular vectors by a phase. Returns false if more than the phases is free: the basis of a null
// space of several dimensions, or that of equal singular values.
template <class T>
bool Rephase(SingularValues<T>& svd, const FreePhases& phases, std::int64_t problem, Extended norm,
             PrimitiveType type) {
  const std::int64_t k = std::ssize(svd.values), larger = std::max(svd.u.columns, svd.vt.rows);
  std::vector<Extended> values = svd.values;
  values.push_back(0);
  if (larger > k + 1 || AreDegenerate(values, norm, type)) return false;
  for (std::int64_t j = 0; j < larger; ++j) {
    const T phase = phases.Of<T>(problem, j);
    for (std::int64_t i = 0; j < svd.u.columns && i < svd.u.rows; ++i) svd.u(i, j) *= phase;
    for (std::int64_t i = 0; j < svd.vt.rows && i < svd.vt.columns; ++i) svd.vt(j, i) *= Conjugate(phase);
  }
  return true;
}

// Returns nullopt if the phases are random, and more than these is free.
std::optional<Literal> SingularProblemsOf(const HloInstruction& call, std::span<const Literal> operands,
                                          const FreePhases& phases) {
  const MatrixBatch batch = BatchOf(call);
  const char parts = *Parts(call);
  LapackResult result(call.shape);
  std::atomic<bool> is_known = true;
  ForEachProblem(batch, [&]<class T>(std::int64_t problem) {
    if (batch.smaller_side() == 0) return;
    const Matrix<T> a = LoadMatrix<T>(operands[0], problem);
    if (!IsFinite(a.elements)) return result.StoreNan(problem, batch.count());
    SingularValues<T> svd = SingularValuesOf(a, parts);
    const bool varies = phases.AreRandom() && parts != 'N';
    if (varies && !Rephase(svd, phases, problem, Norm1(a), batch.type)) is_known = false;
    result.Store(0, problem, a);
    result.Store(1, problem, svd.values);
    if (parts != 'N') {
      result.Store(2, problem, svd.u);
      result.Store(3, problem, svd.vt);
    }
    result.StoreInfo(4, problem, svd.info);
  });
  if (!is_known) return std::nullopt;
  return std::move(result).Take();
}

Literal EvaluateSingularValues(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  return *SingularProblemsOf(call, operands, FreePhases());
}

std::optional<Literal> OtherSingularVectors(const HloInstruction& call, std::span<const Literal> operands,
                                            std::uint64_t seed) {
  return SingularProblemsOf(call, operands, FreePhases(seed));
}

template <class T>
void JudgeSingularVectors(PrimitiveType type, const Matrix<T>& a, const Matrix<T>& u,
                          const std::vector<Extended>& values, const Matrix<T>& vt, Properties& properties) {
  const std::int64_t size = std::max(a.rows, a.columns), k = std::min(a.rows, a.columns);
  Matrix<T> scaled(a.rows, k), rows(k, a.columns);
  for (std::int64_t i = 0; i < k; ++i) {
    for (std::int64_t row = 0; row < a.rows; ++row) scaled(row, i) = u(row, i) * values[i];
    for (std::int64_t column = 0; column < a.columns; ++column) rows(i, column) = vt(i, column);
  }
  properties.Ratio("U S V^H = A", type, Norm1(scaled * rows - a), Norm1(a), size);
  properties.Ratio("U^H U = I", type, DepartureFromOrthonormality(u), 1, size);
  properties.Ratio("V^H V = I", type, DepartureFromOrthonormality(Adjoint(vt)), 1, size);
}

void JudgeSingularNumbers(PrimitiveType type, const std::vector<Extended>& values, const std::vector<Extended>& wanted,
                          Extended norm, std::int64_t size, Properties& properties) {
  const bool descend = std::ranges::is_sorted(values, std::ranges::greater());
  properties.Holds("singular values descend to no less than 0", descend && (values.empty() || values.back() >= 0));
  // Weyl's theorem for singular values.
  Extended distance = 0;
  for (std::size_t i = 0; i < values.size(); ++i) distance = Worse(distance, std::fabs(values[i] - wanted[i]));

  properties.Ratio("singular values", type, distance, norm, size);
}

PropertyReport JudgeSingularValues(const HloInstruction& call, std::span<const Literal> operands, const Literal& want,
                                   const Literal& got) {
  const MatrixBatch batch = BatchOf(call);
  return JudgeEachProblem(batch, [&]<class T>(std::int64_t problem, Properties& properties) {
    const Matrix<T> a = LoadMatrix<T>(operands[0], problem);
    if (!IsFinite(a.elements)) return properties.Open(kNotFinite);
    if (want.elements()[4].IntegerAt(problem) != 0) return properties.Open(kNotConverged);
    if (a.elements.empty()) return properties.Open("a matrix without elements");
    const std::vector<Extended> values = LoadVector<Extended>(got.elements()[1], problem);
    properties.Holds("info = 0", got.elements()[4].IntegerAt(problem) == 0);
    JudgeSingularNumbers(batch.type, values, LoadVector<Extended>(want.elements()[1], problem), Norm1(a),
                         std::max(batch.rows, batch.columns), properties);
    if (*Parts(call) == 'N') return;
    JudgeSingularVectors(batch.type, a, LoadMatrix<T>(got.elements()[2], problem), values,
                         LoadMatrix<T>(got.elements()[3], problem), properties);
  });
}

const CustomCallTarget kSingularValuesTargets[] = {{
    .names = {"lapack_sgesdd_ffi", "lapack_dgesdd_ffi", "lapack_cgesdd_ffi", "lapack_zgesdd_ffi", "lapack_sgesvd_ffi",
              "lapack_dgesvd_ffi", "lapack_cgesvd_ffi", "lapack_zgesvd_ffi"},
    .meaning = "Descending singular values S, and orthonormal U and V with U S V^H = A.",
    .check = CheckSingularValues,
    .evaluate = EvaluateSingularValues,
    .acceptance = Acceptance::kProperties,
    .properties = JudgeSingularValues,
    .another = OtherSingularVectors,
}};

}  // namespace

const TargetFamily targets_singular_values = kSingularValuesTargets;

}  // namespace assay
