// Copies runs of elements at a time.
#include "interpreter/kernels/common/collective_steps.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Literal EvaluateRaggedAllToAll(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
  return RaggedAllToAll(instruction, operands, evaluation, kFastSteps);
}

}  // namespace

const OpKernel kernel_ragged_all_to_all = {.op = &op_ragged_all_to_all, .evaluate = EvaluateRaggedAllToAll};

}  // namespace assay
