#include "interpreter/ops/common/triangular_equation.h"

namespace assay {

TriangularEquation EquationOf(const HloInstruction& solve) {
  const std::string_view transpose = solve.String("transpose_a");
  return {.left_side = solve.Bool("left_side"),
          .lower = solve.Bool("lower"),
          .unit_diagonal = solve.Bool("unit_diagonal"),
          .transpose = transpose == "ADJOINT"     ? Transpose::kAdjoint
                       : transpose == "TRANSPOSE" ? Transpose::kTranspose
                                                  : Transpose::kNone};
}

}  // namespace assay
