#include "interpreter/hlo/device.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> InferAllReduceDone(const HloInstruction& instruction) { return instruction.operand(0).shape; }

Literal EvaluateAllReduceDone(const HloInstruction& done, std::span<Literal> operands, Evaluation& evaluation) {
  return evaluation.device().Await(done, operands[0]);
}

}  // namespace

const Op op_all_reduce_done = {
    .name = "all-reduce-done",
    .meaning = "The end of an asynchronous all-reduce.",
    .legality =
        {
            .arity = Exactly(1),
            .types = kArrays | kTuples,
            .layouts = LayoutRule::kKept,
            .allows_mixed_precision = true,
            .infer = InferAllReduceDone,
        },
    .evaluation = {.evaluate = EvaluateAllReduceDone, .depends_on_device = true},
};

}  // namespace assay
