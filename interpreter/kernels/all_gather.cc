// Copies runs of elements at a time.
#include "interpreter/kernels/common/collective_steps.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Literal EvaluateAllGather(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
  return AllGather(instruction, operands, evaluation, kFastSteps);
}

}  // namespace

const OpKernel kernel_all_gather = {.op = &op_all_gather, .evaluate = EvaluateAllGather};

}  // namespace assay
