#include <algorithm>
#include <cmath>
#include <string>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/ffi_attributes.h"
#include "interpreter/custom_calls/lapack.h"
#include "interpreter/custom_calls/lapacke.h"
#include "interpreter/custom_calls/stand_in.h"
#include "interpreter/hlo/annotation_text.h"
#include "interpreter/types/number_in_text.h"

namespace assay {
namespace {

struct Request {
  bool lower = true;
  bool has_vectors = true;
  bool ascends = true;
  double tolerance = 0;  // of the iteration, relative to the norm of the matrix
};

// Reads the TPU's configuration, "lower,ascends,iterations,tolerance" (XLA's eigh_expander.cc).
Result<Request> RequestOfTpu(const HloInstruction& call) {
  const std::string config = BackendConfig(call);
  std::vector<double> numbers;
  for (std::size_t begin = 0; begin <= config.size();) {
    const std::size_t end = std::min(config.find(',', begin), config.size());
    numbers.push_back(NumberInText<double>(std::string_view(config).substr(begin, end - begin)).value_or(-1));
    begin = end + 1;
  }
  if (numbers.size() == 4 && std::ranges::min(numbers) >= 0) {
    return Request{.lower = numbers[0] != 0, .ascends = numbers[1] != 0, .tolerance = numbers[3]};
  }
  return BadCall(call, "backend_config must be four numbers, lower,ascends,iterations,tolerance, found {}", config);
}

Result<Request> RequestOf(const HloInstruction& call) {
  if (call.String("custom_call_target") == "Eigh") return RequestOfTpu(call);
  Request request;
  ASSAY_TRY(request.lower, ReadsLower(call));
  if (!IsLapack(call)) return request;
  ASSAY_TRY(const char mode, FfiLetter(call, "mode", "VN"));
  request.has_vectors = mode == 'V';
  return request;
}

Status CheckHermitianEigen(const HloInstruction& call) {
  ASSAY_TRY(const MatrixBatch batch, CheckSquareBatch(call, 1));
  ASSAY_CHECK_OK(RequestOf(call));
  std::vector<Shape> results = {batch.Matrices(batch.rows, batch.rows), batch.RealVectors(batch.rows)};
  if (call.String("custom_call_target") != "Eigh") results.push_back(batch.Info());
  return CheckResultIs(call, std::move(results));
}

bool HasEigenvectors(const HloInstruction& call) { return RequestOf(call)->has_vectors; }

template <class T>
Matrix<T> LoadHermitian(const HloInstruction& call, const Literal& operand, std::int64_t problem) {
  return HermitianOfTriangle(LoadMatrix<T>(operand, problem), RequestOf(call)->lower);
}

// LAPACK leaves unspecified values in place of vectors that are not computed; here they are the operand.
std::optional<Literal> EigenproblemsOf(const HloInstruction& call, std::span<const Literal> operands,
                                       const FreePhases& phases) {
  const MatrixBatch batch = BatchOf(call);
  return EvaluateEachProblem(call, batch, [&]<class T>(std::int64_t problem, LapackResult& result) {
    if (batch.rows == 0) return;
    const Matrix<T> a = LoadHermitian<T>(call, operands[0], problem);
    if (!AreAllFinite(a.elements)) return result.StoreNan(problem, batch.count());
    HermitianEigen<T> eigen =
        EigenOfHermitian(HermitianOfTriangle(phases.Disturbed(a, problem, batch.type), /*is_lower=*/true));
    eigen.vectors = phases.Disturbed(eigen.vectors, problem, batch.type);
    for (std::int64_t i = 0; phases.AreRandom() && i < a.rows; ++i) {
      for (std::int64_t j = 0; j < a.rows; ++j) eigen.vectors(i, j) *= phases.Of<T>(problem, j);
    }
    result.Store(0, problem, HasEigenvectors(call) ? eigen.vectors : LoadMatrix<T>(operands[0], problem));
    result.Store(1, problem, eigen.values);
    result.StoreInfo(2, problem, eigen.info);
  });
}

template <class T>
void JudgeEigenproblem(PrimitiveType type, const Request& request, const Matrix<T>& a, const Matrix<T>& vectors,
                       const std::vector<Extended>& values, const std::vector<Extended>& wanted,
                       Properties& properties) {
  const std::int64_t n = a.rows;
  const double threshold = kTestThreshold + request.tolerance / static_cast<double>(UlpOf(type));
  std::vector<Extended> sorted = values;
  if (request.ascends)
    properties.Holds("eigenvalues ascend", std::ranges::is_sorted(values));
  else
    std::ranges::sort(sorted);
  // Weyl's theorem: eigenvalues move by no more than the norm of a Hermitian perturbation.
  Extended distance = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) distance = Worse(distance, std::fabs(sorted[i] - wanted[i]));

  properties.Ratio("eigenvalues", type, distance, Norm1(a), n, threshold);
  if (!request.has_vectors) return;
  Matrix<T> scaled = vectors;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) scaled(i, j) *= values[j];
  }
  properties.Ratio("A V = V W", type, Norm1(a * vectors - scaled), Norm1(a), n, threshold);
  properties.Ratio("V^H V = I", type, DepartureFromOrthonormality(vectors), 1, n);
}

PropertyReport JudgeHermitianEigen(const HloInstruction& call, std::span<const Literal> operands, const Literal& want,
                                   const Literal& got) {
  const MatrixBatch batch = BatchOf(call);
  return JudgeEachProblem(batch, [&]<class T>(std::int64_t problem, Properties& properties) {
    const Matrix<T> a = LoadHermitian<T>(call, operands[0], problem);
    if (!AreAllFinite(a.elements)) {
      properties.Open(kNotFinite);
    } else if (InfoAt(want, 2, problem) != 0) {
      properties.Open(kNotConverged);
    } else {
      properties.Holds("info = 0", InfoAt(got, 2, problem) == 0);
      JudgeEigenproblem(batch.type, *RequestOf(call), a, LoadMatrix<T>(got.elements()[0], problem),
                        LoadVector<Extended>(got.elements()[1], problem),
                        LoadVector<Extended>(want.elements()[1], problem), properties);
    }
  });
}

const CustomCallTarget kHermitianEigenTargets[] = {{
    .names = {"lapack_{s,d}syevd_ffi", "lapack_{c,z}heevd_ffi", "{cu,hip,oneapi}solver_syevd_ffi", "Eigh"},
    .meaning = "Orthonormal eigenvectors V and ascending eigenvalues W of each Hermitian matrix.",
    .check = CheckHermitianEigen,
    .evaluate = EvaluateFactors<EigenproblemsOf>,
    .properties = JudgeHermitianEigen,
    .another = OtherFactors<EigenproblemsOf>,
}};

}  // namespace

const TargetFamily targets_hermitian_eigen = kHermitianEigenTargets;

}  // namespace assay
