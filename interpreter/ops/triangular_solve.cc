#include <vector>

#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/matrix_rules.h"
#include "interpreter/ops/common/triangular_equation.h"
#include "interpreter/ops/plain/enclosed.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

using namespace plain;

Result<Shape> InferTriangularSolve(const HloInstruction& solve) {
  ASSAY_CHECK_OK(CheckSquareMatrices(solve, 0));
  ASSAY_CHECK_OK(CheckArrayOperand(solve, 1));
  const Shape& a = solve.operand(0).shape;
  const Shape& b = solve.operand(1).shape;
  const auto illegal = [&](std::string_view rule) {
    return Illegal(solve, "{}, found {} and {}", rule, a.ToStringWithoutLayout(), b.ToStringWithoutLayout());
  };
  if (a.element_type() != b.element_type()) return illegal("operands must have the same element type");
  const std::int64_t rank = a.rank();
  if (b.rank() != rank) return illegal("operands must have the same rank");
  const bool left_side = solve.Bool("left_side");
  if (b.dimensions(left_side ? rank - 2 : rank - 1) != a.dimensions(rank - 1)) {
    return illegal(left_side ? "the rows of operand 1 must be as many as those of operand 0 (left_side)"
                             : "the columns of operand 1 must be as many as those of operand 0 (not left_side)");
  }
  for (std::int64_t d = 0; d + 2 < rank; ++d) {
    if (a.dimensions(d) != b.dimensions(d)) return illegal("operands must have the same batch dimensions");
  }
  if (solve.String("transpose_a") == "TRANSPOSE_INVALID") {
    return Illegal(solve, "transpose_a must be NO_TRANSPOSE, TRANSPOSE or ADJOINT");
  }
  return b;
}

// Returns the place of element i of system s of the matrices at `batch`: in column s if left_side, otherwise in row s.
Index PlaceIn(const TriangularEquation& equation, const Index& batch, std::int64_t i, std::int64_t s) {
  return Joined(batch, equation.left_side ? Index{i, s} : Index{s, i});
}

// Solves one system. x op(a) = b is op(a)^T x^T = b^T, so every system is m x = b with m = op(a) or its transpose:
//   x[i] = (b[i] - sum over k of m[i, k] * x[k]) / m[i, i]          k < i if m is lower triangular, k > i if it is
//   upper
template <class Number>
Row Solution(const TriangularEquation& equation, const Literal& a, const Literal& b, const Index& batch,
             std::int64_t s) {
  const std::int64_t n = a.shape().dimensions().back();
  const bool is_transposed = (equation.transpose != Transpose::kNone) == equation.left_side;
  const bool is_lower = equation.lower != is_transposed;
  return RoundedOnce(b.element_type(), [&](mpfr_prec_t precision) {
    const auto m = [&](std::int64_t i, std::int64_t k) {
      const Index at = Joined(batch, is_transposed ? Index{k, i} : Index{i, k});
      const auto coefficient = NumberOf<Number>(At(a, at), precision);
      return equation.transpose == Transpose::kAdjoint ? Conjugate(coefficient) : coefficient;
    };
    std::vector<Number> x;
    for (std::int64_t i = 0; i < n; ++i) {
      x.push_back(NumberOf<Number>(At(b, PlaceIn(equation, batch, i, s)), precision));
    }
    for (std::int64_t row = 0; row < n; ++row) {
      CheckLimits();
      const std::int64_t i = is_lower ? row : n - 1 - row;
      for (std::int64_t k = is_lower ? 0 : i + 1; k < (is_lower ? i : n); ++k) x[i] = x[i] - m(i, k) * x[k];
      if (!equation.unit_diagonal) x[i] = x[i] / m(i, i);
    }
    std::vector<EnclosedReal> parts;
    for (const Number& element : x) AppendParts(element, parts);
    return parts;
  });
}

Literal EvaluateTriangularSolve(const HloInstruction& solve, std::span<Literal> operands, Evaluation&) {
  const TriangularEquation equation = EquationOf(solve);
  const Dimensions& bounds = solve.shape.dimensions();
  const auto solution =
      IsComplexType(solve.shape.element_type()) ? Solution<EnclosedComplex<EnclosedReal>> : Solution<EnclosedReal>;
  Outputs result(solve.shape);
  Index systems(bounds.begin(), bounds.end() - 2);
  systems.push_back(bounds[bounds.size() - (equation.left_side ? 1 : 2)]);
  ForEachIndex(systems, [&](const Index& system) {
    const Index batch(system.begin(), system.end() - 1);
    const std::int64_t s = system.back();
    const Row x = solution(equation, operands[0], operands[1], batch, s);
    for (std::int64_t i = 0; i < std::ssize(x); ++i) result.Set(PlaceIn(equation, batch, i, s), x[i]);
  });
  return std::move(result).Take();
}

void FitTriangularSolve(HloInstruction& solve) {
  const std::int64_t rank = solve.operand(0).shape.rank();
  const std::int64_t solved = solve.Bool("left_side") ? rank - 2 : rank - 1;
  for (std::int64_t d = 0; d + 2 < rank; ++d) Equalize(solve, 0, d, 1, d);
  for (const std::int64_t d : {rank - 2, rank - 1, rank - 2}) Equalize(solve, 0, d, 1, solved);
}

}  // namespace

// For a singular matrix the result is that of the substitution's divisions by zero in IEEE 754.
const Op op_triangular_solve = {
    .name = "triangular-solve",
    .meaning = "The solution of op(a) x = b or x op(a) = b for triangular a.",
    .syntax =
        {
            .attributes = {Flag("left_side"), Flag("lower"), Flag("unit_diagonal"),
                           OneOf("transpose_a", "TRANSPOSE_INVALID",
                                 {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"})},
        },
    .legality = {.arity = Exactly(2),
                 .types = kFloats | kComplex,
                 .layouts = LayoutRule::kKept,
                 .infer = InferTriangularSolve},
    .evaluation = {.evaluate = EvaluateTriangularSolve, .fit_run_time_sizes = FitTriangularSolve},
};

}  // namespace assay
