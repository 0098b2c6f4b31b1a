#include "interpreter/ops/collective_rules.h"
#include "interpreter/ops/collectives.h"
#include "interpreter/ops/record.h"

namespace assay {

namespace {

Literal Evaluate(const HloInstruction& start, std::span<Literal> operands, Evaluation& evaluation) {
  return StartCollective(start, start.shape, operands, evaluation, EvaluateAllReduce);
}

}  // namespace

const Op op_all_reduce_start = {
    .name = "all-reduce-start",
    .meaning = "The start of an asynchronous all-reduce.",
    .arity = AtLeast(1),
    .types = kArrays,
    .attributes = AllReduceAttributes(),
    .shape_is_inferable = false,
    .allows_mixed_precision = true,
    .depends_on_device = true,
    .done = "all-reduce-done",
    .infer = InferAllReduce,
    .evaluate = Evaluate,
    .acceptance = Acceptance::kCalled,
};

}  // namespace assay
