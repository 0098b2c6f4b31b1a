// Updates of a Cholesky factor by a vector and of a symmetric matrix by a product: jaxlib's linalg_kernels.cu.cc and
// solver_kernels_ffi.cc.
#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/ffi_attributes.h"
#include "interpreter/custom_calls/lapack.h"
#include "interpreter/custom_calls/stand_in.h"

namespace assay {
namespace {

// --- An upper triangular R with R^T R = A becomes that of A + w w^T ---

Status CheckCholeskyUpdate(const HloInstruction& call) {
  ASSAY_TRY(const MatrixBatch batch, CheckSquareBatch(call, 2));
  if (IsComplexType(batch.type)) return BadCall(call, "operand 0 must be real");
  ASSAY_CHECK_OK(CheckOperandIs(call, 1, batch.Vectors(batch.rows)));
  return CheckResultIs(call, {batch.Matrices(batch.rows, batch.rows), batch.Vectors(batch.rows)});
}

// Rotates row k of R and w so that element k of w becomes zero, for each k. The second result is what remains of w.
Literal EvaluateCholeskyUpdate(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  return EvaluateEachProblem(call, BatchOf(call), [&]<class>(std::int64_t problem, LapackResult& result) {
    Matrix<Extended> r = LoadMatrix<Extended>(operands[0], problem);
    std::vector<Extended> w = LoadVector<Extended>(operands[1], problem);
    for (std::int64_t k = 0; k < r.rows; ++k) {
      if (w[k] == 0) continue;
      const Extended norm = std::hypot(r(k, k), w[k]), cosine = r(k, k) / norm, sine = w[k] / norm;
      for (std::int64_t i = k; i < r.rows; ++i) {
        const Extended above = r(k, i);
        r(k, i) = cosine * above + sine * w[i];
        w[i] = cosine * w[i] - sine * above;
      }
    }
    result.Store(0, problem, r);
    result.Store(1, problem, w);
  });
}

bool IsCholeskyFactor(const Matrix<Extended>& r) {
  bool is_factor = AreAllFinite(r.elements);
  for (std::int64_t i = 0; i < r.rows; ++i) {
    is_factor &= r(i, i) > 0;
    for (std::int64_t j = 0; j < i; ++j) is_factor &= r(i, j) == 0;
  }
  return is_factor;
}

// Judges the factor; the remaining w means nothing.
PropertyReport JudgeCholeskyUpdate(const HloInstruction& call, std::span<const Literal> operands, const Literal&,
                                   const Literal& got) {
  const MatrixBatch batch = BatchOf(call);
  return JudgeEachProblem(batch, [&]<class>(std::int64_t problem, Properties& properties) {
    const Matrix<Extended> r = LoadMatrix<Extended>(operands[0], problem);
    const std::vector<Extended> w = LoadVector<Extended>(operands[1], problem);
    if (!IsCholeskyFactor(r) || !AreAllFinite(w)) return properties.Open("an operand that is not a Cholesky factor");
    Matrix<Extended> a = Adjoint(r) * r;
    for (std::int64_t i = 0; i < r.rows; ++i) {
      for (std::int64_t j = 0; j < r.rows; ++j) a(i, j) += w[i] * w[j];
    }
    JudgeCholeskyFactor(a, LoadMatrix<Extended>(got.elements()[0], problem), false, batch.type, properties);
  });
}

// --- alpha A A^T + beta C, or with A^T A ---

Status CheckProductUpdate(const HloInstruction& call) {
  ASSAY_TRY(const MatrixBatch batch, CheckBatch(call, 4));
  ASSAY_TRY(const bool is_transposed, FfiBool(call, "transpose"));
  const std::int64_t size = is_transposed ? batch.columns : batch.rows;
  ASSAY_CHECK_OK(CheckOperandIs(call, 1, batch.Matrices(size, size)));
  for (std::size_t i = 2; i < 4; ++i) {
    ASSAY_CHECK_OK(CheckOperandIs(call, i, ShapeUtil::MakeScalarShape(batch.type)));
  }
  return CheckResultIs(call, {batch.Matrices(size, size)});
}

template <class T>
struct ProductUpdate {
  ProductUpdate(const HloInstruction& call, std::span<const Literal> operands, std::int64_t problem)
      : a(LoadMatrix<T>(operands[0], problem)), value(LoadMatrix<T>(operands[1], problem)) {
    const Shape number = ShapeUtil::MakeShape(operands[2].element_type(), {1});
    const T alpha = LoadVector<T>(operands[2].WithShape(number), 0)[0];
    const T beta = LoadVector<T>(operands[3].WithShape(number), 0)[0];
    Matrix<T> transposed = Adjoint(a);
    for (T& element : transposed.elements) element = Conjugate(element);
    const Matrix<T> product = *FfiBool(call, "transpose") ? transposed * a : a * transposed;
    norm = Magnitude(alpha) * Norm1(a) * Norm1(transposed) + (beta == T(0) ? 0 : Magnitude(beta) * Norm1(value));
    for (std::int64_t i = 0; i < value.rows; ++i) {
      for (std::int64_t j = 0; j <= i; ++j) {
        value(i, j) = alpha * product(i, j) + (beta == T(0) ? T(0) : beta * value(i, j));
      }
    }
  }

  Matrix<T> a;
  Matrix<T> value;  // above the diagonal C
  Extended norm = 0;
};

Literal EvaluateProductUpdate(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  return EvaluateEachProblem(call, BatchOf(call), [&]<class T>(std::int64_t problem, LapackResult& result) {
    result.Store(0, problem, ProductUpdate<T>(call, operands, problem).value);
  });
}

PropertyReport JudgeProductUpdate(const HloInstruction& call, std::span<const Literal> operands, const Literal&,
                                  const Literal& got) {
  const MatrixBatch batch = BatchOf(call);
  return JudgeEachProblem(batch, [&]<class T>(std::int64_t problem, Properties& properties) {
    const ProductUpdate<T> update(call, operands, problem);
    if (!std::isfinite(update.norm)) return properties.Open(kNotFinite);
    Matrix<T> error = LoadMatrix<T>(got, problem) - update.value;
    for (std::int64_t i = 0; i < error.rows; ++i) {
      for (std::int64_t j = i + 1; j < error.columns; ++j) error(i, j) = 0;
    }
    properties.Ratio("the lower triangle of alpha A A^T + beta C", batch.type, Norm1(error), update.norm,
                     std::max(batch.rows, batch.columns));
  });
}

const CustomCallTarget kUpdatesTargets[] = {
    {
        .names = {"{cu,hip,oneapi}_cholesky_update_ffi"},
        .meaning = "The Cholesky factor of R^T R + w w^T for upper triangular R, and an array that means nothing.",
        .check = CheckCholeskyUpdate,
        .evaluate = EvaluateCholeskyUpdate,
        .properties = JudgeCholeskyUpdate,
    },
    {
        .names = {"{cu,hip,oneapi}solver_syrk_ffi"},
        .meaning = "The lower triangle of alpha A A^T + beta C; the upper one means nothing.",
        .check = CheckProductUpdate,
        .evaluate = EvaluateProductUpdate,
        .properties = JudgeProductUpdate,
    },
};

}  // namespace

const TargetFamily targets_updates = kUpdatesTargets;

}  // namespace assay
