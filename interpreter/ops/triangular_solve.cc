#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/matrix_properties.h"
#include "interpreter/ops/common/matrix_rules.h"
#include "interpreter/ops/common/triangular_equation.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> Infer(const HloInstruction& solve) {
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

TriangularEquation EquationOf(const HloInstruction& solve) {
  const std::string_view transpose = solve.String("transpose_a");
  return {.left_side = solve.Bool("left_side"),
          .lower = solve.Bool("lower"),
          .unit_diagonal = solve.Bool("unit_diagonal"),
          .transpose = transpose == "ADJOINT"     ? Transpose::kAdjoint
                       : transpose == "TRANSPOSE" ? Transpose::kTranspose
                                                  : Transpose::kNone};
}

Literal Evaluate(const HloInstruction& solve, std::span<Literal> operands, Evaluation&) {
  return SolveTriangular(EquationOf(solve), operands[0], operands[1]).WithShape(solve.shape);
}

PropertyReport Judge(const HloInstruction& solve, std::span<const Literal> operands, const Literal& want,
                     const Literal& got) {
  return SolutionProperties(EquationOf(solve), operands, want, got);
}

void FitRunTimeSizes(HloInstruction& solve) {
  const std::int64_t rank = solve.operand(0).shape.rank();
  const std::int64_t solved = solve.Bool("left_side") ? rank - 2 : rank - 1;
  for (std::int64_t d = 0; d + 2 < rank; ++d) Equalize(solve, 0, d, 1, d);
  for (const std::int64_t d : {rank - 2, rank - 1, rank - 2}) Equalize(solve, 0, d, 1, solved);
}

}  // namespace

// A singular matrix gives what the divisions by zero of the substitution give in IEEE 754.
const Op op_triangular_solve = {
    .name = "triangular-solve",
    .meaning = "The solution of op(a) x = b or x op(a) = b for triangular a.",
    .syntax =
        {
            .attributes = {Flag("left_side"), Flag("lower"), Flag("unit_diagonal"),
                           OneOf("transpose_a", "TRANSPOSE_INVALID",
                                 {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"})},
        },
    .legality = {.arity = Exactly(2), .types = kFloats | kComplex, .layouts = LayoutRule::kKept, .infer = Infer},
    .evaluation = {.evaluate = Evaluate, .fit_run_time_sizes = FitRunTimeSizes},
    .acceptance = {.rule = Acceptance::kProperties, .properties = Judge},
};

}  // namespace assay
