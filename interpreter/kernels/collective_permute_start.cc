// Copies runs of elements at a time.
#include "interpreter/kernels/common/collective_steps.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Literal EvaluateCollectivePermuteStart(const HloInstruction& start, std::span<Literal> operands,
                                       Evaluation& evaluation) {
  return StartCollectiveTuple(start, operands, evaluation, CollectivePermute, kFastSteps);
}

}  // namespace

const OpKernel kernel_collective_permute_start = {.op = &op_collective_permute_start,
                                                  .evaluate = EvaluateCollectivePermuteStart};

}  // namespace assay
