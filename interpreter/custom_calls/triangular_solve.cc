#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/ffi_attributes.h"
#include "interpreter/custom_calls/lapack.h"
#include "interpreter/custom_calls/stand_in.h"
#include "interpreter/ops/common/triangular_equation.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<TriangularEquation> EquationOfCall(const HloInstruction& call) {
  ASSAY_TRY(const char side, FfiLetter(call, "side", "LR"));
  ASSAY_TRY(const char uplo, FfiLetter(call, "uplo", "LU"));
  ASSAY_TRY(const char trans, FfiLetter(call, "trans_x", "NTC"));
  ASSAY_TRY(const char diag, FfiLetter(call, "diag", "NU"));
  return TriangularEquation{.left_side = side == 'L',
                            .lower = uplo == 'L',
                            .unit_diagonal = diag == 'U',
                            .transpose = trans == 'N'   ? Transpose::kNone
                                         : trans == 'T' ? Transpose::kTranspose
                                                        : Transpose::kAdjoint};
}

Status CheckTriangularSolve(const HloInstruction& call) {
  ASSAY_TRY(const MatrixBatch batch, CheckSquareBatch(call, 2));
  ASSAY_TRY(const TriangularEquation equation, EquationOfCall(call));
  const Shape& b = call.operand(1).shape;
  const std::int64_t rank = call.operand(0).shape.rank();
  const bool has_columns = b.IsArray() && b.rank() == rank;
  const std::int64_t systems = !has_columns ? 0 : b.dimensions(equation.left_side ? rank - 1 : rank - 2);
  const Shape expected = equation.left_side ? batch.Matrices(batch.rows, systems) : batch.Matrices(systems, batch.rows);
  ASSAY_CHECK_OK(CheckOperandIs(call, 1, expected));
  return CheckResultIs(call, {expected});
}

Literal EvaluateTriangularSolve(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  const TriangularEquation equation = *EquationOfCall(call);
  const std::string_view transpose = equation.transpose == Transpose::kNone        ? "NO_TRANSPOSE"
                                     : equation.transpose == Transpose::kTranspose ? "TRANSPOSE"
                                                                                   : "ADJOINT";
  return Apply(op_triangular_solve, {operands[0], operands[1]},
               {{"left_side", equation.left_side},
                {"lower", equation.lower},
                {"unit_diagonal", equation.unit_diagonal},
                {"transpose_a", std::string(transpose)}})
      .WithShape(call.shape);
}

PropertyReport JudgeTriangularSolve(const HloInstruction& call, std::span<const Literal> operands, const Literal& want,
                                    const Literal& got) {
  const MatrixBatch batch = BatchOf(call);
  const TriangularEquation equation = *EquationOfCall(call);
  return JudgeEachProblem(batch, [&]<class T>(std::int64_t problem, Properties& properties) {
    if (!AreAllFinite(LoadMatrix<T>(want, problem).elements))
      return properties.Open("a system whose solution overflows");
    JudgeTriangularSolution(equation, batch.type, LoadMatrix<T>(operands[0], problem),
                            LoadMatrix<T>(operands[1], problem), LoadMatrix<T>(got, problem), properties);
  });
}

const CustomCallTarget kTriangularSolveTargets[] = {{
    .names = {"lapack_{s,d,c,z}trsm_ffi"},
    .meaning = "The solution X of op(A) X = B or X op(A) = B for triangular A.",
    .check = CheckTriangularSolve,
    .evaluate = EvaluateTriangularSolve,
    .properties = JudgeTriangularSolve,
    .has_one_result = HasOneResult,
}};

}  // namespace

const TargetFamily targets_triangular_solve = kTriangularSolveTargets;

}  // namespace assay
