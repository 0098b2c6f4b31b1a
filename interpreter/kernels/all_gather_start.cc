// Copies runs of elements at a time.
#include "interpreter/kernels/common/collective_steps.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Literal EvaluateAllGatherStart(const HloInstruction& start, std::span<Literal> operands, Evaluation& evaluation) {
  return StartCollectiveTuple(start, operands, evaluation, AllGather, kFastSteps);
}

}  // namespace

const OpKernel kernel_all_gather_start = {.op = &op_all_gather_start, .evaluate = EvaluateAllGatherStart};

}  // namespace assay
