#include "backends/simd/factorizations.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "interpreter/kernels/kernels.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/vector_clones.h"

namespace assay::simd {
namespace {

// The number of right-hand side columns that one thread processes at a time.
constexpr std::int64_t kColumnsPerPiece = 128;

template <class T>
ASSAY_INLINE void SubtractMultiple(T factor, const T* __restrict from, T* __restrict to, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) to[i] -= factor * from[i];
}

// Computes to -= factor * from.
ASSAY_VECTOR_CLONES void Eliminate(float factor, const float* from, float* to, std::int64_t n) {
  SubtractMultiple(factor, from, to, n);
}
ASSAY_VECTOR_CLONES void Eliminate(double factor, const double* from, double* to, std::int64_t n) {
  SubtractMultiple(factor, from, to, n);
}

// A matrix with steps for rows and columns; exchanging the steps transposes it.
template <class T>
struct Matrix {
  T* elements;
  std::int64_t row_step, column_step;
  T& at(std::int64_t i, std::int64_t j) const { return elements[i * row_step + j * column_step]; }
};

// Writes the lower factor of the lower triangle, and zeros above it, column by column. Returns false for a pivot that
// is not a positive finite number.
template <class T>
bool Factor(Matrix<const T> a, std::int64_t n, Matrix<T> out) {
  std::vector<T> rows(n * n), column(n);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j <= i; ++j) rows[i * n + j] = a.at(i, j);
  }
  for (std::int64_t k = 0; k < n; ++k) {
    CheckLimits();
    const T pivot = rows[k * n + k];
    if (!(pivot > 0) || !std::isfinite(pivot)) return false;
    const T root = std::sqrt(pivot);
    rows[k * n + k] = root;
    for (std::int64_t i = k + 1; i < n; ++i) column[i] = rows[i * n + k] /= root;
    for (std::int64_t i = k + 1; i < n; ++i) {
      Eliminate(column[i], column.data() + k + 1, rows.data() + i * n + k + 1, i - k);
    }
  }
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) out.at(i, j) = j <= i ? rows[i * n + j] : T{0};
  }
  return true;
}

template <class T>
std::optional<Literal> Cholesky(const HloInstruction& cholesky, const Literal& a) {
  const std::int64_t n = a.shape().dimensions().back(), count = n == 0 ? 0 : a.element_count() / (n * n);
  const bool lower = cholesky.Bool("lower");
  Literal result = Literal::Uninitialized(cholesky.shape);
  const T* const in = a.values<T>().data();
  T* const out = result.mutable_values<T>().data();
  std::atomic<bool> is_definite = true;
  ParallelFor(count, GrainOfRows(n * n, kDearPerPiece), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end && is_definite; ++i) {
      const std::int64_t row = lower ? n : 1, column = lower ? 1 : n;
      if (!Factor<T>({in + i * n * n, row, column}, n, {out + i * n * n, row, column})) is_definite = false;
    }
  });
  if (!is_definite) return std::nullopt;
  return result;
}

// The attributes of a triangular solve.
struct Equation {
  bool left_side, lower, unit_diagonal, transposed;

  explicit Equation(const HloInstruction& solve)
      : left_side(solve.Bool("left_side")),
        lower(solve.Bool("lower")),
        unit_diagonal(solve.Bool("unit_diagonal")),
        transposed(solve.String("transpose_a") != "NO_TRANSPOSE") {}
};

// Solves columns [first, first + count) of the right-hand side by substitution. x a = b is equivalent to a^T x^T = b^T.
template <class T>
void Substitute(const Equation& equation, const T* a, std::int64_t n, Matrix<const T> b, Matrix<T> x,
                std::int64_t first, std::int64_t count) {
  const bool is_swapped = equation.transposed == equation.left_side;
  const Matrix<const T> matrix = {a, is_swapped ? 1 : n, is_swapped ? n : 1};
  const bool forward = equation.lower != is_swapped;
  std::vector<T> rows(n * count);
  for (std::int64_t step = 0; step < n; ++step) {
    CheckLimits();
    const std::int64_t i = forward ? step : n - 1 - step;
    T* const row = rows.data() + i * count;
    for (std::int64_t c = 0; c < count; ++c) row[c] = b.at(i, first + c);
    for (std::int64_t before = 0; before < step; ++before) {
      const std::int64_t k = forward ? before : n - 1 - before;
      Eliminate(matrix.at(i, k), rows.data() + k * count, row, count);
    }
    if (!equation.unit_diagonal) {
      for (std::int64_t c = 0; c < count; ++c) row[c] /= matrix.at(i, i);
    }
    for (std::int64_t c = 0; c < count; ++c) x.at(i, first + c) = row[c];
  }
}

template <class T>
std::optional<Literal> Solve(const HloInstruction& solve, const Literal& a, const Literal& b) {
  const Equation equation(solve);
  const std::int64_t n = a.shape().dimensions().back();
  Literal result = Literal::Uninitialized(solve.shape);
  if (result.element_count() == 0) return result;
  const std::int64_t count = a.element_count() / (n * n), columns = b.element_count() / (count * n);
  const std::int64_t row = equation.left_side ? columns : 1, column = equation.left_side ? 1 : n;
  const T *const as = a.values<T>().data(), *const bs = b.values<T>().data();
  T* const xs = result.mutable_values<T>().data();
  const std::int64_t pieces = (columns + kColumnsPerPiece - 1) / kColumnsPerPiece;
  ParallelFor(count * pieces, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t matrix = i / pieces, first = i % pieces * kColumnsPerPiece, at = matrix * n * columns;
      Substitute<T>(equation, as + matrix * n * n, n, {bs + at, row, column}, {xs + at, row, column}, first,
                    std::min(kColumnsPerPiece, columns - first));
    }
  });
  if (!std::ranges::all_of(result.values<T>(), [](T number) { return std::isfinite(number); })) return std::nullopt;
  return result;
}

// The evaluator handles matrices without a factor and solutions that are not finite.
Literal EvaluateCholesky(const HloInstruction& cholesky, std::span<Literal> operands, Evaluation& evaluation) {
  std::optional<Literal> result;
  if (cholesky.shape.element_type() == F32) result = Cholesky<float>(cholesky, operands[0]);
  if (cholesky.shape.element_type() == F64) result = Cholesky<double>(cholesky, operands[0]);
  return result ? *std::move(result) : WithKernel(*cholesky.op).evaluation.evaluate(cholesky, operands, evaluation);
}

Literal EvaluateSolve(const HloInstruction& solve, std::span<Literal> operands, Evaluation& evaluation) {
  std::optional<Literal> result;
  if (solve.shape.element_type() == F32) result = Solve<float>(solve, operands[0], operands[1]);
  if (solve.shape.element_type() == F64) result = Solve<double>(solve, operands[0], operands[1]);
  return result ? *std::move(result) : WithKernel(*solve.op).evaluation.evaluate(solve, operands, evaluation);
}

constexpr std::string_view kCholeskyNames[] = {"cholesky"};
constexpr std::string_view kSolveNames[] = {"triangular-solve"};

}  // namespace

const Family kCholesky = {.ops = kCholeskyNames, .evaluate = EvaluateCholesky};
const Family kTriangularSolve = {.ops = kSolveNames, .evaluate = EvaluateSolve};

}  // namespace assay::simd
