#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/ffi_attributes.h"
#include "interpreter/custom_calls/lapack.h"
#include "interpreter/custom_calls/lapacke.h"

namespace assay {
namespace {

bool IsReal(const MatrixBatch& batch) { return !IsComplexType(batch.type); }

// Loads eigenvalues. They are one complex vector, or for a real matrix a vector of real parts and one of imaginary
// parts.
std::vector<ExtendedComplex> LoadValues(const Literal& result, std::size_t first, std::int64_t problem, bool is_real) {
  std::vector<ExtendedComplex> values = LoadVector<ExtendedComplex>(result.elements()[first], problem);
  if (!is_real) return values;
  const std::vector<Extended> imaginary = LoadVector<Extended>(result.elements()[first + 1], problem);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = ExtendedComplex(values[i].real(), imaginary[i]);
  return values;
}

void StoreValues(LapackResult& result, std::size_t first, std::int64_t problem,
                 const std::vector<ExtendedComplex>& values, bool is_real) {
  result.Store(first, problem, values);  // of a real type: the real parts
  if (!is_real) return;
  std::vector<Extended> imaginary;
  for (const ExtendedComplex& value : values) imaginary.push_back(value.imag());
  result.Store(first + 1, problem, imaginary);
}

template <class T>
Matrix<ExtendedComplex> AsComplex(const Matrix<T>& a) {
  Matrix<ExtendedComplex> complex(a.rows, a.columns);
  std::copy(a.elements.begin(), a.elements.end(), complex.elements.begin());
  return complex;
}

// Judges each number by the least singular value of A - value I: the distance from A to the nearest matrix with this
// eigenvalue. All values together must sum to A's trace.
template <class T>
void JudgeEigenvalues(PrimitiveType type, const Matrix<T>& a, const std::vector<ExtendedComplex>& values,
                      Properties& properties) {
  ExtendedComplex trace_error;
  Extended distance = 0;
  for (std::int64_t j = 0; j < a.rows; ++j) {
    Matrix<ExtendedComplex> shifted = AsComplex(a);
    for (std::int64_t i = 0; i < a.rows; ++i) shifted(i, i) -= values[j];
    trace_error += a(j, j) - values[j];
    if (!AreAllFinite(shifted.elements)) return properties.Holds("eigenvalues are finite", false);
    distance = Worse(distance, SingularValuesOf(shifted, 'N').values.back());
  }
  properties.Ratio("eigenvalues", type, distance, Norm1(a), a.rows);
  properties.Ratio("eigenvalues add up to the trace", type, Magnitude(trace_error), a.rows * Norm1(a), a.rows);
}

// --- Eigenvectors (geev) ---

// cuSOLVER's target returns complex eigenvalues, behind a result that means nothing, and real vectors for a real
// matrix.
bool IsCusolver(const HloInstruction& call) { return call.String("custom_call_target").ends_with("solver_geev_ffi"); }

struct EigenResults {
  bool has_left = false, has_right = false;
  bool are_values_real = false;  // real parts, then imaginary parts
  bool is_packed = false;        // columns j and j + 1 are the real and imaginary parts of a pair of vectors
  std::size_t values = 0, vectors = 1;
};

Result<EigenResults> EigenResultsOf(const HloInstruction& call) {
  EigenResults results;
  if (IsLapack(call)) {
    ASSAY_TRY(const char left, FfiLetter(call, "compute_left", "VN"));
    ASSAY_TRY(const char right, FfiLetter(call, "compute_right", "VN"));
    results.has_left = left == 'V';
    results.has_right = right == 'V';
  } else {
    ASSAY_TRY(results.has_left, FfiBool(call, "left"));
    ASSAY_TRY(results.has_right, FfiBool(call, "right"));
  }
  const bool is_real = IsReal(BatchOf(call));
  results.values = IsCusolver(call) ? 1 : 0;
  results.are_values_real = is_real && !IsCusolver(call);
  results.is_packed = is_real && IsCusolver(call);
  results.vectors = results.values + (results.are_values_real ? 2 : 1);
  return results;
}

Status CheckEigen(const HloInstruction& call) {
  ASSAY_TRY(const MatrixBatch batch, CheckSquareBatch(call, 1));
  ASSAY_TRY(const EigenResults results, EigenResultsOf(call));
  const std::int64_t n = batch.rows;
  MatrixBatch complex = batch;
  complex.type = ComplexComponentType(batch.type) == F32 ? C64 : C128;
  std::vector<Shape> expected(results.values, batch.Matrices(n, n));
  expected.resize(results.vectors, (IsCusolver(call) ? complex : batch).Vectors(n));
  expected.resize(results.vectors + 2, (results.is_packed ? batch : complex).Matrices(n, n));
  expected.push_back(batch.Info());
  return CheckResultIs(call, std::move(expected));
}

// Converts complex vectors to LAPACK's packed form of those of a real matrix, or back.
Matrix<ExtendedComplex> Repacked(Matrix<ExtendedComplex> vectors, const std::vector<ExtendedComplex>& values,
                                 bool unpacks) {
  for (std::int64_t j = 0; j + 1 < vectors.columns; ++j) {
    if (values[j].imag() == 0) continue;
    for (std::int64_t i = 0; i < vectors.rows; ++i) {
      const ExtendedComplex pair(vectors(i, j).real(), unpacks ? vectors(i, j + 1).real() : vectors(i, j).imag());
      vectors(i, j) = unpacks ? pair : pair.real();
      vectors(i, j + 1) = unpacks ? std::conj(pair) : pair.imag();
    }
    ++j;
  }
  return vectors;
}

// Vectors that are not computed are zero.
Literal EvaluateEigen(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  const MatrixBatch batch = BatchOf(call);
  const EigenResults results = *EigenResultsOf(call);
  return EvaluateEachProblem(call, batch, [&]<class T>(std::int64_t problem, LapackResult& result) {
    if (batch.rows == 0) return;
    const Matrix<T> a = LoadMatrix<T>(operands[0], problem);
    if (!AreAllFinite(a.elements)) return result.StoreNan(problem, batch.count());
    const GeneralEigen eigen = EigenOf(a, results.has_left, results.has_right);
    const auto form = [&](const Matrix<ExtendedComplex>& vectors) {
      return results.is_packed ? Repacked(vectors, eigen.values, false) : vectors;
    };
    if (results.values > 0) result.Store(0, problem, a);
    StoreValues(result, results.values, problem, eigen.values, results.are_values_real);
    if (results.has_left) result.Store(results.vectors, problem, form(eigen.left));
    if (results.has_right) result.Store(results.vectors + 1, problem, form(eigen.right));
    result.StoreInfo(results.vectors + 2, problem, eigen.info);
  });
}

// Judges A V = V W for the columns of V, each of norm 1 with a real element of the largest magnitude.
void JudgeEigenvectors(std::string_view name, PrimitiveType type, const Matrix<ExtendedComplex>& a,
                       const Matrix<ExtendedComplex>& vectors, const std::vector<ExtendedComplex>& values,
                       Properties& properties) {
  Matrix<ExtendedComplex> scaled = vectors;
  Extended off_norm = 0, imaginary = 0;
  for (std::int64_t j = 0; j < a.rows; ++j) {
    std::int64_t largest = 0;
    for (std::int64_t i = 0; i < a.rows; ++i) {
      scaled(i, j) *= values[j];
      if (Magnitude(vectors(i, j)) > Magnitude(vectors(largest, j))) largest = i;
    }
    off_norm = Worse(off_norm, std::fabs(ColumnNorm(vectors, j, 0, a.rows) - 1));
    // If several have the largest magnitude, any one of them may be real.
    Extended least = INFINITY;
    for (std::int64_t i = 0; i < a.rows; ++i) {
      if (Magnitude(vectors(i, j)) >= Magnitude(vectors(largest, j)) * (1 - 1e-3L)) {
        least = std::min(least, std::fabs(vectors(i, j).imag()));
      }
    }
    imaginary = Worse(imaginary, least);
  }
  properties.Ratio(name, type, Norm1(a * vectors - scaled), Norm1(a), a.rows);
  properties.Ratio("eigenvectors have norm 1", type, off_norm, 1, a.rows);
  properties.Ratio("the largest element of an eigenvector is real", type, imaginary, 1, a.rows);
}

std::vector<ExtendedComplex> Conjugates(std::vector<ExtendedComplex> values) {
  for (ExtendedComplex& value : values) value = std::conj(value);
  return values;
}

PropertyReport JudgeEigen(const HloInstruction& call, std::span<const Literal> operands, const Literal& want,
                          const Literal& got) {
  const MatrixBatch batch = BatchOf(call);
  const EigenResults results = *EigenResultsOf(call);
  return JudgeEachProblem(batch, [&]<class T>(std::int64_t problem, Properties& properties) {
    if (batch.rows == 0) return;
    const Matrix<ExtendedComplex> a = AsComplex(LoadMatrix<T>(operands[0], problem));
    if (!AreAllFinite(a.elements)) return properties.Open(kNotFinite);
    if (InfoAt(want, results.vectors + 2, problem) != 0) return properties.Open(kNotConverged);
    properties.Holds("info = 0", InfoAt(got, results.vectors + 2, problem) == 0);
    const std::vector<ExtendedComplex> values = LoadValues(got, results.values, problem, results.are_values_real);
    JudgeEigenvalues(batch.type, a, values, properties);
    const auto vectors = [&](std::size_t i) {
      Matrix<ExtendedComplex> loaded = LoadMatrix<ExtendedComplex>(got.elements()[i], problem);
      return results.is_packed ? Repacked(std::move(loaded), values, true) : loaded;
    };
    if (results.has_right) {
      JudgeEigenvectors("A V = V W", batch.type, a, vectors(results.vectors + 1), values, properties);
    }
    if (results.has_left) {
      JudgeEigenvectors("V^H A = W V^H", batch.type, Adjoint(a), vectors(results.vectors), Conjugates(values),
                        properties);
    }
  });
}

// --- Schur form (gees) ---

Status CheckSchur(const HloInstruction& call) {
  ASSAY_TRY(const MatrixBatch batch, CheckSquareBatch(call, 1));
  ASSAY_TRY([[maybe_unused]] const char mode, FfiLetter(call, "mode", "VN"));
  ASSAY_TRY([[maybe_unused]] const char sort, FfiLetter(call, "sort", "N"));
  std::vector<Shape> expected(2, batch.Matrices(batch.rows, batch.rows));
  for (int part = 0; part < (IsReal(batch) ? 2 : 1); ++part) expected.push_back(batch.Vectors(batch.rows));
  for (int count = 0; count < 2; ++count) expected.push_back(batch.Info());
  return CheckResultIs(call, std::move(expected));
}

bool HasRightVectors(const HloInstruction& call) { return *FfiLetter(call, "mode", "VN") == 'V'; }

Literal EvaluateSchur(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  const MatrixBatch batch = BatchOf(call);
  return EvaluateEachProblem(call, batch, [&]<class T>(std::int64_t problem, LapackResult& result) {
    if (batch.rows == 0) return;
    const Matrix<T> a = LoadMatrix<T>(operands[0], problem);
    if (!AreAllFinite(a.elements)) return result.StoreNan(problem, batch.count());
    const Schur<T> schur = SchurOf(a);
    result.Store(0, problem, schur.form);
    if (HasRightVectors(call)) result.Store(1, problem, schur.vectors);
    StoreValues(result, 2, problem, schur.values, IsReal(batch));
    result.StoreInfo(IsReal(batch) ? 5 : 4, problem, schur.info);
  });
}

// True if the elements below the diagonal are zero, except for the 2 x 2 blocks of a real form.
template <class T>
bool IsSchurForm(const Matrix<T>& form) {
  for (std::int64_t j = 0; j < form.rows; ++j) {
    for (std::int64_t i = j + 1; i < form.rows; ++i) {
      const bool may_be_block = std::is_same_v<T, Extended> && i == j + 1 && (j == 0 || form(j, j - 1) == T(0));
      if (form(i, j) != T(0) && !may_be_block) return false;
    }
  }
  return true;
}

// True if each block [[a, b], [c, d]] of a real form is in LAPACK's standard form: a = d and b c < 0, so that its
// eigenvalues are the pair a +- sqrt(b c).
template <class T>
bool AreBlocksStandard(const Matrix<T>& form) {
  for (std::int64_t j = 0; j + 1 < form.rows; ++j) {
    if (form(j + 1, j) == T(0)) continue;
    const bool is_pair = RealPart(form(j, j + 1)) * RealPart(form(j + 1, j)) < 0;
    if (!is_pair || form(j, j) != form(j + 1, j + 1)) return false;
  }
  return true;
}

// Returns the eigenvalues of a form, read from its diagonal.
template <class T>
std::vector<ExtendedComplex> ValuesOf(const Matrix<T>& form) {
  std::vector<ExtendedComplex> values;
  for (std::int64_t j = 0; j < form.rows; ++j) {
    const bool is_block = j + 1 < form.rows && form(j + 1, j) != T(0);
    const T product = is_block ? form(j, j + 1) * form(j + 1, j) : T(0);
    const Extended imaginary = is_block ? std::sqrt(Magnitude(product)) : 0;
    values.push_back(ExtendedComplex(form(j, j)) + ExtendedComplex(0, imaginary));
    if (!is_block) continue;
    ++j;
    values.push_back(ExtendedComplex(form(j, j)) - ExtendedComplex(0, imaginary));
  }
  return values;
}

template <class T>
void JudgeForm(const HloInstruction& call, PrimitiveType type, const Matrix<T>& a, const Matrix<T>& form,
               const Matrix<T>& vectors, const std::vector<ExtendedComplex>& values, Properties& properties) {
  const std::int64_t n = a.rows;
  properties.Holds("T is a Schur form", IsSchurForm(form));
  properties.Holds("blocks of T are standard", AreBlocksStandard(form));
  Extended distance = 0;
  const std::vector<ExtendedComplex> on_diagonal = ValuesOf(form);
  for (std::int64_t i = 0; i < n; ++i) distance = Worse(distance, Magnitude(values[i] - on_diagonal[i]));
  properties.Ratio("eigenvalues are those of T", type, distance, Norm1(form), n);
  JudgeEigenvalues(type, a, values, properties);
  if (!HasRightVectors(call)) return;
  properties.Ratio("V T V^H = A", type, Norm1(vectors * form * Adjoint(vectors) - a), Norm1(a), n);
  properties.Ratio("V^H V = I", type, DepartureFromOrthonormality(vectors), 1, n);
}

PropertyReport JudgeSchur(const HloInstruction& call, std::span<const Literal> operands, const Literal& want,
                          const Literal& got) {
  const MatrixBatch batch = BatchOf(call);
  const std::size_t selected = IsReal(batch) ? 4 : 3;
  return JudgeEachProblem(batch, [&]<class T>(std::int64_t problem, Properties& properties) {
    if (batch.rows == 0) return;
    const Matrix<T> a = LoadMatrix<T>(operands[0], problem);
    if (!AreAllFinite(a.elements)) return properties.Open(kNotFinite);
    if (want.elements()[selected + 1].IntegerAt(problem) != 0) return properties.Open(kNotConverged);
    properties.Holds("info = 0", got.elements()[selected + 1].IntegerAt(problem) == 0);
    properties.Holds("no eigenvalue is selected", got.elements()[selected].IntegerAt(problem) == 0);
    JudgeForm(call, batch.type, a, LoadMatrix<T>(got.elements()[0], problem), LoadMatrix<T>(got.elements()[1], problem),
              LoadValues(got, 2, problem, IsReal(batch)), properties);
  });
}

const CustomCallTarget kEigenTargets[] = {
    {
        .names = {"lapack_{s,d,c,z}geev_ffi", "{cu,hip,oneapi}hybrid_eig_{real,comp}", "{cu,hip}solver_geev_ffi"},
        .meaning = "Eigenvalues W of each matrix, and left and right eigenvectors of norm 1 where they are asked for.",
        .check = CheckEigen,
        .evaluate = EvaluateEigen,
        .properties = JudgeEigen,
    },
    {
        .names = {"lapack_{s,d,c,z}gees_ffi"},
        .meaning = "V T V^H = A: the Schur form T, orthonormal V, and the eigenvalues in the order of T's diagonal.",
        .check = CheckSchur,
        .evaluate = EvaluateSchur,
        .properties = JudgeSchur,
    },
};

}  // namespace

const TargetFamily targets_eigen = kEigenTargets;

}  // namespace assay
