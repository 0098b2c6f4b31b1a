// A product of matrices: lhs as [batch, free, contracting], rhs as [batch, contracting, free].
#include "interpreter/kernels/common/matrix_product.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Literal EvaluateDotOp(const HloInstruction& dot, std::span<Literal> operands, Evaluation&) {
  return EvaluateDot(operands[0], operands[1], DotDimensionsOf(dot), dot.shape);
}

}  // namespace

const OpKernel kernel_dot = {.op = &op_dot, .evaluate = EvaluateDotOp};

}  // namespace assay
