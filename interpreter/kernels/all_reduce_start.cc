// Folds whole arrays: sums along one axis, any other computation on many elements at a time.
#include "interpreter/kernels/common/collective_steps.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Literal EvaluateAllReduceStart(const HloInstruction& start, std::span<Literal> operands, Evaluation& evaluation) {
  return StartCollective(start, start.shape, operands, evaluation, AllReduce, kFastSteps);
}

}  // namespace

const OpKernel kernel_all_reduce_start = {.op = &op_all_reduce_start, .evaluate = EvaluateAllReduceStart};

}  // namespace assay
