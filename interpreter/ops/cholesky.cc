#include "interpreter/ops/common/cholesky_factors.h"
#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/matrix_properties.h"
#include "interpreter/ops/common/matrix_rules.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> Infer(const HloInstruction& cholesky) {
  ASSAY_CHECK_OK(CheckSquareMatrices(cholesky, 0));
  return cholesky.operand(0).shape;
}

Literal Evaluate(const HloInstruction& cholesky, std::span<Literal> operands, Evaluation&) {
  return CholeskyFactors(operands[0], cholesky.Bool("lower")).WithShape(cholesky.shape);
}

void FitRunTimeSizes(HloInstruction& cholesky) {
  const std::int64_t rank = cholesky.operand(0).shape.rank();
  Equalize(cholesky, 0, rank - 2, 0, rank - 1);
}

}  // namespace

// The specification leaves open what a matrix that is not Hermitian positive definite gives, and the other triangle of
// the result. Here it is NaN throughout for the former, zero for the latter, and the imaginary part of the diagonal is
// ignored, as in LAPACK.
const Op op_cholesky = {
    .name = "cholesky",
    .meaning = "The Cholesky factor of each matrix.",
    .syntax = {.attributes = {Flag("lower")}},
    .legality = {.arity = Exactly(1), .types = kFloats | kComplex, .layouts = LayoutRule::kKept, .infer = Infer},
    .evaluation = {.evaluate = Evaluate, .fit_run_time_sizes = FitRunTimeSizes},
    .acceptance = {.rule = Acceptance::kProperties, .properties = CholeskyProperties},
};

}  // namespace assay
