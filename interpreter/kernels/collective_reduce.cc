// Folds whole arrays: sums along one axis, any other computation on many elements at a time.
#include "interpreter/kernels/common/collective_steps.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Literal EvaluateCollectiveReduce(const HloInstruction& instruction, std::span<Literal> operands,
                                 Evaluation& evaluation) {
  return CollectiveReduce(instruction, operands, evaluation, kFastSteps);
}

}  // namespace

const OpKernel kernel_collective_reduce = {.op = &op_collective_reduce, .evaluate = EvaluateCollectiveReduce};

}  // namespace assay
