#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/ffi_attributes.h"
#include "interpreter/custom_calls/lapack.h"
#include "interpreter/custom_calls/lapacke.h"

namespace assay {
namespace {

// The form of the singular vectors of a call.
struct Vectors {
  // A: all columns of U and rows of V^H; S: as many as there are singular values; N: none, and the results in their
  // place are undefined.
  char parts = 'N';
  bool all = true;           // U and V have all columns, also if they are not computed
  bool is_v = false;         // V in place of V^H
  std::size_t u = 2, v = 3;  // results

  template <class T>
  void Store(std::int64_t problem, const SingularValues<T>& svd, LapackResult& result) const {
    if (parts == 'N') return;
    result.Store(u, problem, svd.u);
    result.Store(v, problem, is_v ? Adjoint(svd.vt) : svd.vt);
  }
};

// Jacobi's and the polar method return V and always have results for U and V. JAX calls gesvd with the transpose of a
// wide matrix, which exchanges the two results; their layouts transpose them back.
Result<Vectors> VectorsOf(const HloInstruction& call) {
  Vectors vectors;
  if (IsLapack(call)) {
    ASSAY_TRY(vectors.parts, FfiLetter(call, "mode", "ASN"));
    vectors.all = vectors.parts == 'A';
    return vectors;
  }
  ASSAY_TRY(vectors.all, FfiBool(call, "full_matrices"));
  ASSAY_TRY(const bool are_computed, FfiBool(call, "compute_uv"));
  if (are_computed) vectors.parts = vectors.all ? 'A' : 'S';
  const std::string_view target = call.String("custom_call_target");
  vectors.is_v = target.ends_with("gesvdj_ffi") || target.ends_with("gesvdp_ffi");
  if (vectors.is_v) return vectors;
  ASSAY_TRY(const bool is_transposed, FfiBool(call, "transposed"));
  if (is_transposed) std::swap(vectors.u, vectors.v);
  return vectors;
}

Status CheckSingularValues(const HloInstruction& call) {
  ASSAY_TRY(const MatrixBatch batch, CheckBatch(call, 1));
  ASSAY_TRY(const Vectors vectors, VectorsOf(call));
  const std::int64_t m = batch.rows, n = batch.columns, k = batch.smaller_side();
  std::vector<Shape> results(5, batch.Info());
  results[0] = batch.Matrices(m, n);
  results[1] = batch.RealVectors(k);
  const auto with_vectors = [&](bool all) {
    results[vectors.u] = batch.Matrices(m, all ? m : k);
    results[vectors.v] = vectors.is_v ? batch.Matrices(n, all ? n : k) : batch.Matrices(all ? n : k, n);
    return CheckResultIs(call, results);
  };
  const bool are_undefined = vectors.parts == 'N' && !vectors.is_v;
  if (!are_undefined || with_vectors(true)) return with_vectors(vectors.all || are_undefined);
  if (IsLapack(call)) return with_vectors(false);
  results[2] = results[3] = ShapeUtil::MakeScalarShape(batch.type);
  return CheckResultIs(call, results);
}

// Multiplies pairs of singular vectors by a phase, and adds their errors. Returns false if more than the phases is
// free: the basis of a null space of several dimensions.
template <class T>
bool Rephase(SingularValues<T>& svd, const FreePhases& phases, std::int64_t problem, PrimitiveType type) {
  const std::int64_t k = std::ssize(svd.values), larger = std::max(svd.u.columns, svd.vt.rows);
  if (larger > k + 1) return false;
  svd.u = phases.Disturbed(svd.u, problem, type);
  svd.vt = phases.Disturbed(svd.vt, problem, type);
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
  const Vectors vectors = *VectorsOf(call);
  LapackResult result(call.shape);
  std::atomic<bool> is_known = true;
  ForEachProblem(batch, [&]<class T>(std::int64_t problem) {
    if (batch.smaller_side() == 0) return;
    const Matrix<T> a = LoadMatrix<T>(operands[0], problem);
    if (!AreAllFinite(a.elements)) return result.StoreNan(problem, batch.count());
    SingularValues<T> svd = SingularValuesOf(phases.Disturbed(a, problem, batch.type), vectors.parts);
    const bool varies = phases.AreRandom() && vectors.parts != 'N';
    if (varies && !Rephase(svd, phases, problem, batch.type)) is_known = false;
    result.Store(0, problem, a);
    result.Store(1, problem, svd.values);
    vectors.Store(problem, svd, result);
    result.StoreInfo(4, problem, svd.info);
  });
  if (!is_known) return std::nullopt;
  return std::move(result).Take();
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

// True if the least of descending singular values is so small that cuSOLVER's polar decomposition may add a
// perturbation to the matrix. Its documentation does not say how large it is.
bool MayBePerturbed(const HloInstruction& call, const std::vector<Extended>& values, PrimitiveType type) {
  const bool is_polar = call.String("custom_call_target").ends_with("gesvdp_ffi");
  return is_polar && values.back() <= std::sqrt(UlpOf(type)) * values.front();
}

PropertyReport JudgeSingularValues(const HloInstruction& call, std::span<const Literal> operands, const Literal& want,
                                   const Literal& got) {
  const MatrixBatch batch = BatchOf(call);
  return JudgeEachProblem(batch, [&]<class T>(std::int64_t problem, Properties& properties) {
    const Matrix<T> a = LoadMatrix<T>(operands[0], problem);
    if (!AreAllFinite(a.elements)) return properties.Open(kNotFinite);
    if (want.elements()[4].IntegerAt(problem) != 0) return properties.Open(kNotConverged);
    if (a.elements.empty()) return properties.Open("a matrix without elements");
    const std::vector<Extended> values = LoadVector<Extended>(got.elements()[1], problem);
    const std::vector<Extended> wanted = LoadVector<Extended>(want.elements()[1], problem);
    if (MayBePerturbed(call, wanted, batch.type)) return properties.Open("a nearly singular matrix by polar factors");
    properties.Holds("info = 0", got.elements()[4].IntegerAt(problem) == 0);
    JudgeSingularNumbers(batch.type, values, wanted, Norm1(a), std::max(batch.rows, batch.columns), properties);
    const Vectors vectors = *VectorsOf(call);
    if (vectors.parts == 'N') return;
    const Matrix<T> v = LoadMatrix<T>(got.elements()[vectors.v], problem);
    JudgeSingularVectors(batch.type, a, LoadMatrix<T>(got.elements()[vectors.u], problem), values,
                         vectors.is_v ? Adjoint(v) : v, properties);
  });
}

const CustomCallTarget kSingularValuesTargets[] = {{
    .names = {"lapack_{s,d,c,z}{gesdd,gesvd}_ffi", "{cu,hip,oneapi}solver_gesvd_ffi",
              "{cu,hip}solver_{gesvdj,gesvdp}_ffi", "hipsolver_gesdd_ffi"},
    .meaning = "Descending singular values S, and orthonormal U and V with U S V^H = A.",
    .check = CheckSingularValues,
    .evaluate = EvaluateFactors<SingularProblemsOf>,
    .properties = JudgeSingularValues,
    .another = OtherFactors<SingularProblemsOf>,
}};

}  // namespace

const TargetFamily targets_singular_values = kSingularValuesTargets;

}  // namespace assay
