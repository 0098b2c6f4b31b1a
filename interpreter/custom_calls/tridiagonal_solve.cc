#include <algorithm>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/lapack.h"
#include "interpreter/types/limits.h"

namespace assay {
namespace {

// Operands 0 to 2 are the diagonals below, on and above the main one, all of its length: element 0 of the first and the
// last of the third are not read. Operand 3 holds the right sides.
constexpr std::size_t kRightSides = 3;

// LAPACK's target has the diagonals of U before the solution, and `info`; the others have the solution alone.
Status CheckTridiagonalSolve(const HloInstruction& call) {
  ASSAY_CHECK_OK(CheckOperandCount(call, 4));
  ASSAY_CHECK_OK(CheckMatrices(call, kRightSides));
  const MatrixBatch batch = BatchOf(call, kRightSides);
  const Shape diagonal = batch.Vectors(batch.rows), solution = batch.Matrices(batch.rows, batch.columns);
  for (std::size_t i = 0; i < kRightSides; ++i) ASSAY_CHECK_OK(CheckOperandIs(call, i, diagonal));
  if (!IsLapack(call)) return CheckResultIs(call, {solution});
  return CheckResultIs(call, {diagonal, diagonal, diagonal, solution, batch.Info()});
}

template <class T>
struct System {
  System(std::span<const Literal> operands, std::int64_t problem)
      : below(LoadVector<T>(operands[0], problem)),
        diagonal(LoadVector<T>(operands[1], problem)),
        above(LoadVector<T>(operands[2], problem)),
        b(LoadMatrix<T>(operands[3], problem)) {
    if (!below.empty()) below.front() = above.back() = T(0);
  }

  std::int64_t size() const { return b.rows; }
  bool IsAllFinite() const {
    return AreAllFinite(below) && AreAllFinite(diagonal) && AreAllFinite(above) && AreAllFinite(b.elements);
  }
  // Returns the largest sum of magnitudes in a column.
  Extended Norm() const {
    Extended norm = 0;
    for (std::int64_t j = 0; j < size(); ++j) {
      norm = std::max(norm, Magnitude(diagonal[j]) + (j > 0 ? Magnitude(above[j - 1]) : 0) +
                                (j + 1 < size() ? Magnitude(below[j + 1]) : 0));
    }
    return norm;
  }
  Matrix<T> Times(const Matrix<T>& x) const {
    Matrix<T> product(x.rows, x.columns);
    for (std::int64_t i = 0; i < size(); ++i) {
      for (std::int64_t j = 0; j < x.columns; ++j) {
        product(i, j) = diagonal[i] * x(i, j);
        if (i > 0) product(i, j) += below[i] * x(i - 1, j);
        if (i + 1 < size()) product(i, j) += above[i] * x(i + 1, j);
      }
    }
    return product;
  }

  std::vector<T> below;
  std::vector<T> diagonal;
  std::vector<T> above;
  Matrix<T> b;
};

// Eliminates with partial pivoting: afterwards `diagonal`, `above` and `above2` are the diagonals of U, and b the
// corresponding right sides.
template <class T>
std::vector<T> Eliminate(System<T>& s) {
  std::vector<T> above2(s.size());
  for (std::int64_t i = 0; i + 1 < s.size(); ++i) {
    // Rows i and i + 1 from column i on: three elements each.
    T upper[3] = {s.diagonal[i], s.above[i], T(0)};
    T lower[3] = {s.below[i + 1], s.diagonal[i + 1], s.above[i + 1]};
    if (Magnitude(lower[0]) > Magnitude(upper[0])) {
      std::swap(upper, lower);
      for (std::int64_t j = 0; j < s.b.columns; ++j) std::swap(s.b(i, j), s.b(i + 1, j));
    }
    const T factor = lower[0] == T(0) ? T(0) : lower[0] / upper[0];
    for (int k = 1; k < 3; ++k) lower[k] -= factor * upper[k];
    for (std::int64_t j = 0; j < s.b.columns; ++j) s.b(i + 1, j) -= factor * s.b(i, j);
    s.diagonal[i] = upper[0];
    s.above[i] = upper[1];
    above2[i] = upper[2];
    s.below[i + 1] = factor;
    s.diagonal[i + 1] = lower[1];
    s.above[i + 1] = lower[2];
  }
  return above2;
}

template <class T>
void SubstituteBack(System<T>& s, const std::vector<T>& above2) {
  for (std::int64_t j = 0; j < s.b.columns; ++j) {
    CheckLimits();
    for (std::int64_t i = s.size() - 1; i >= 0; --i) {
      T rest = s.b(i, j);
      if (i + 1 < s.size()) rest -= s.above[i] * s.b(i + 1, j);
      if (i + 2 < s.size()) rest -= above2[i] * s.b(i + 2, j);
      s.b(i, j) = rest / s.diagonal[i];
    }
  }
}

// Returns the number, from 1, of the first pivot that is zero; 0 if there is none.
template <class T>
std::int64_t FirstZero(const std::vector<T>& diagonal) {
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    if (diagonal[i] == T(0)) return static_cast<std::int64_t>(i) + 1;
  }
  return 0;
}

// Returns the solutions. A singular system returns its right sides, or without `info` what divisions by zero give.
Literal EvaluateTridiagonalSolve(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  const MatrixBatch batch = BatchOf(call, kRightSides);
  return EvaluateEachProblem(call, batch, [&]<class T>(std::int64_t problem, LapackResult& result) {
    System<T> s(operands, problem);
    if (!s.IsAllFinite()) return result.StoreNan(problem, batch.count());
    const std::vector<T> above2 = Eliminate(s);
    const std::int64_t info = FirstZero(s.diagonal);
    if (info == 0 || !IsLapack(call)) SubstituteBack(s, above2);
    if (!IsLapack(call)) return result.Store(0, problem, s.b);
    result.Store(0, problem, above2);
    result.Store(1, problem, s.diagonal);
    result.Store(2, problem, s.above);
    result.Store(3, problem, info == 0 ? s.b : LoadMatrix<T>(operands[kRightSides], problem));
    result.StoreInfo(4, problem, info);
  });
}

// Replaces pivots that are smaller than an ULP of the largest element of U by that ULP.
Literal EvaluatePerturbedSolve(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  const MatrixBatch batch = BatchOf(call, kRightSides);
  return EvaluateEachProblem(call, batch, [&]<class T>(std::int64_t problem, LapackResult& result) {
    System<T> s(operands, problem);
    if (!s.IsAllFinite()) return result.StoreNan(problem, batch.count());
    const std::vector<T> above2 = Eliminate(s);
    Extended largest = 0;
    for (const std::vector<T>* diagonal : {&std::as_const(s.diagonal), &std::as_const(s.above), &above2}) {
      for (const T& element : *diagonal) largest = std::max(largest, Magnitude(element));
    }
    const Extended least = UlpOf(batch.type) * largest;
    for (T& pivot : s.diagonal) {
      if (Magnitude(pivot) < least) pivot = RealPart(pivot) < 0 ? -least : least;
    }
    SubstituteBack(s, above2);
    result.Store(0, problem, s.b);
  });
}

template <class T>
void JudgeSolution(PrimitiveType type, const System<T>& s, const Matrix<T>& x, Properties& properties) {
  const Matrix<T> residual = s.b - s.Times(x);
  for (std::int64_t j = 0; j < x.columns; ++j) {
    properties.Ratio("T X = B", type, ColumnNorm(residual, j, 0, x.rows), s.Norm() * ColumnNorm(x, j, 0, x.rows),
                     x.rows);
  }
}

// True if U has a pivot that rounding errors may turn into zero, or away from zero.
template <class T>
bool IsNearlySingular(System<T> s, PrimitiveType type) {
  const Extended norm = s.Norm();
  Eliminate(s);
  return std::ranges::any_of(
      s.diagonal, [&](const T& pivot) { return Magnitude(pivot) <= kTestThreshold * s.size() * UlpOf(type) * norm; });
}

PropertyReport JudgeTridiagonalSolve(const HloInstruction& call, std::span<const Literal> operands, const Literal& want,
                                     const Literal& got) {
  const MatrixBatch batch = BatchOf(call, kRightSides);
  return JudgeEachProblem(batch, [&]<class T>(std::int64_t problem, Properties& properties) {
    const System<T> s(operands, problem);
    const std::int64_t info = got.elements()[4].IntegerAt(problem);
    const bool is_wanted = info == want.elements()[4].IntegerAt(problem);
    if (!s.IsAllFinite()) {
      properties.Open(kNotFinite);
    } else if (!is_wanted && !IsNearlySingular(s, batch.type)) {
      properties.Holds("info is the first zero on the diagonal of U", false);
    } else if (!is_wanted || info != 0) {
      properties.Open("a singular system");
    } else {
      JudgeSolution(batch.type, s, LoadMatrix<T>(got.elements()[3], problem), properties);
    }
  });
}

// Judges the solution alone. cuSPARSE says nothing about a system that is singular; JAX perturbs one.
template <bool kIsPerturbed>
PropertyReport JudgeSolutionAlone(const HloInstruction& call, std::span<const Literal> operands, const Literal& want,
                                  const Literal& got) {
  const MatrixBatch batch = BatchOf(call, kRightSides);
  return JudgeEachProblem(batch, [&]<class T>(std::int64_t problem, Properties& properties) {
    const System<T> s(operands, problem);
    if (!s.IsAllFinite() || !AreAllFinite(LoadMatrix<T>(want, problem).elements)) return properties.Open(kNotFinite);
    if (!kIsPerturbed && IsNearlySingular(s, batch.type)) return properties.Open("a singular system");
    JudgeSolution(batch.type, s, LoadMatrix<T>(got, problem), properties);
  });
}

const CustomCallTarget kTridiagonalSolveTargets[] = {
    {
        .names = {"lapack_{s,d,c,z}gtsv_ffi"},
        .meaning = "The solution X of T X = B for tridiagonal T, behind the diagonals of U, which mean nothing.",
        .check = CheckTridiagonalSolve,
        .evaluate = EvaluateTridiagonalSolve,
        .properties = JudgeTridiagonalSolve,
        .has_one_result = HasOneResult,
    },
    {
        .names = {"{cu,hip}sparse_gtsv2_ffi"},
        .meaning = "The solution X of T X = B for tridiagonal T.",
        .check = CheckTridiagonalSolve,
        .evaluate = EvaluateTridiagonalSolve,
        .properties = JudgeSolutionAlone<false>,
        .has_one_result = HasOneResult,
    },
    {
        .names = {"tridiagonal_solve_perturbed_ffi", "{cu,hip,oneapi}_tridiagonal_solve_perturbed"},
        .meaning = "The solution X of T X = B for tridiagonal T, whose pivots are moved away from zero.",
        .check = CheckTridiagonalSolve,
        .evaluate = EvaluatePerturbedSolve,
        .properties = JudgeSolutionAlone<true>,
        .has_one_result = HasOneResult,
    },
};

}  // namespace

const TargetFamily targets_tridiagonal_solve = kTridiagonalSolveTargets;

}  // namespace assay
