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

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/factorizations.cc"
#include "backends/simd/targets.h"
// clang-format off
#include <hwy/foreach_target.h>
// clang-format on
#include <hwy/highway.h>

#ifndef ASSAY_SIMD_FACTORIZATIONS_ONCE
#define ASSAY_SIMD_FACTORIZATIONS_ONCE
namespace assay::simd {

// A matrix with steps for rows and columns; exchanging the steps transposes it.
template <class T>
struct Matrix {
  T* elements;
  std::int64_t row_step, column_step;
  T& at(std::int64_t i, std::int64_t j) const { return elements[i * row_step + j * column_step]; }
};

}  // namespace assay::simd
#endif

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Subtracts from kVectors vectors of kRows rows, the first of which is `first`, their products with the known rows
// [begin, end), in the order of these.
template <int kRows, int kVectors, class T>
HWY_INLINE void SubtractProducts(Matrix<const T> a, std::int64_t first, std::int64_t begin, std::int64_t end,
                                 std::int64_t columns, T* rows) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  hn::Vec<decltype(d)> sums[kRows][kVectors], known[kVectors];
  const auto at = [&](std::int64_t i, int v) { return rows + i * columns + v * lanes; };
#pragma GCC unroll 8
  for (int i = 0; i < kRows * kVectors; ++i)
    sums[i / kVectors][i % kVectors] = hn::LoadU(d, at(first + i / kVectors, i % kVectors));
  for (std::int64_t k = begin; k < end; ++k) {
    for (int v = 0; v < kVectors; ++v) known[v] = hn::LoadU(d, at(k, v));
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
      const auto factor = hn::Set(d, a.at(first + r, k));
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) sums[r][v] = hn::Sub(sums[r][v], hn::Mul(factor, known[v]));
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < kRows * kVectors; ++i)
    hn::StoreU(sums[i / kVectors][i % kVectors], d, at(first + i / kVectors, i % kVectors));
}

// Does the same for all columns, a multiple of the lanes.
template <int kRows, class T>
HWY_INLINE void SubtractAll(Matrix<const T> a, std::int64_t first, std::int64_t begin, std::int64_t end,
                            std::int64_t columns, T* rows) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(hn::ScalableTag<T>()));
  std::int64_t c = 0;
  for (; c + 2 * lanes <= columns; c += 2 * lanes) SubtractProducts<kRows, 2>(a, first, begin, end, columns, rows + c);
  for (; c < columns; c += lanes) SubtractProducts<kRows, 1>(a, first, begin, end, columns, rows + c);
}

// Solves four rows together as far as earlier rows matter, and then one after the other.
template <class T>
void SolveRows(Matrix<const T> a, bool has_unit_diagonal, std::int64_t n, std::int64_t columns, T* rows) {
  constexpr std::int64_t kRows = 4;
  const hn::ScalableTag<T> d;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t first = i / kRows * kRows;
    const bool has_four = first + kRows <= n;
    if (has_four && i == first) SubtractAll<kRows>(a, i, 0, i, columns, rows);
    SubtractAll<1>(a, i, has_four ? first : 0, i, columns, rows);
    const auto diagonal = hn::Set(d, a.at(i, i));
    T* const row = rows + i * columns;
    for (std::int64_t c = 0; c < columns && !has_unit_diagonal; c += hn::Lanes(d)) {
      hn::StoreU(hn::Div(hn::LoadU(d, row + c), diagonal), d, row + c);
    }
  }
}

void SolveFloats(Matrix<const float> a, bool has_unit_diagonal, std::int64_t n, std::int64_t columns, float* rows) {
  SolveRows(a, has_unit_diagonal, n, columns, rows);
}
void SolveDoubles(Matrix<const double> a, bool has_unit_diagonal, std::int64_t n, std::int64_t columns, double* rows) {
  SolveRows(a, has_unit_diagonal, n, columns, rows);
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay::simd {
namespace {

HWY_EXPORT(SolveFloats);
HWY_EXPORT(SolveDoubles);

// The right-hand side columns that one thread processes at a time, and the bytes of the longest vector.
constexpr std::int64_t kColumnsPerPiece = 128, kVectorBytes = 64;

// Solves a x = rows in place, for a lower triangle a, row by row. The order of each sum is that of the rows.
void SolveInPlace(Matrix<const float> a, bool has_unit_diagonal, std::int64_t n, std::int64_t columns, float* rows) {
  HWY_DYNAMIC_DISPATCH(SolveFloats)(a, has_unit_diagonal, n, columns, rows);
}
void SolveInPlace(Matrix<const double> a, bool has_unit_diagonal, std::int64_t n, std::int64_t columns, double* rows) {
  HWY_DYNAMIC_DISPATCH(SolveDoubles)(a, has_unit_diagonal, n, columns, rows);
}

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
// An upper triangle with its rows and columns in reverse is a lower one.
template <class T>
void Substitute(const Equation& equation, const T* a, std::int64_t n, Matrix<const T> b, Matrix<T> x,
                std::int64_t first, std::int64_t count) {
  const bool is_swapped = equation.transposed == equation.left_side;
  const bool forward = equation.lower != is_swapped;
  const std::int64_t row_step = is_swapped ? 1 : n, column_step = is_swapped ? n : 1;
  const Matrix<const T> lower =
      forward ? Matrix<const T>{a, row_step, column_step} : Matrix<const T>{a + n * n - 1, -row_step, -column_step};
  constexpr std::int64_t kMultiple = kVectorBytes / sizeof(T);
  const std::int64_t columns = (count + kMultiple - 1) / kMultiple * kMultiple;
  std::vector<T> rows(n * columns);
  const auto place = [&](std::int64_t i) { return forward ? i : n - 1 - i; };
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t c = 0; c < count; ++c) rows[i * columns + c] = b.at(place(i), first + c);
  }
  CheckLimits();
  SolveInPlace(lower, equation.unit_diagonal, n, columns, rows.data());
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t c = 0; c < count; ++c) x.at(place(i), first + c) = rows[i * columns + c];
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
#endif  // HWY_ONCE
