// Copies runs of elements at a time.
#include "interpreter/kernels/common/collective_steps.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Literal EvaluateCollectivePermute(const HloInstruction& instruction, std::span<Literal> operands,
                                  Evaluation& evaluation) {
  return CollectivePermute(instruction, operands, evaluation, kFastSteps);
}

}  // namespace

const OpKernel kernel_collective_permute = {.op = &op_collective_permute, .evaluate = EvaluateCollectivePermute};

}  // namespace assay
