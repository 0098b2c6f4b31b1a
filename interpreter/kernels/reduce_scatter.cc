// Folds whole arrays and copies runs of elements at a time.
#include "interpreter/kernels/common/collective_steps.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Literal EvaluateReduceScatter(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
  return ReduceScatter(instruction, operands, evaluation, kFastSteps);
}

}  // namespace

const OpKernel kernel_reduce_scatter = {.op = &op_reduce_scatter, .evaluate = EvaluateReduceScatter};

}  // namespace assay
