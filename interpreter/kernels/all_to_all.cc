// Copies runs of elements at a time.
#include "interpreter/kernels/common/collective_steps.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Literal EvaluateAllToAll(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
  return AllToAll(instruction, operands, evaluation, kFastSteps);
}

}  // namespace

const OpKernel kernel_all_to_all = {.op = &op_all_to_all, .evaluate = EvaluateAllToAll};

}  // namespace assay
