#include "interpreter/ops/common/async_rules.h"
#include "interpreter/ops/common/collectives.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> InferAsyncDone(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckExecutionThread(instruction));
  const Shape& started = instruction.operand(0).shape;
  ASSAY_CHECK_OK(CheckAsyncShape(instruction, started));
  const HloComputation* computation = WrappedComputation(instruction);
  const std::size_t bound = started.tuple_shapes(0).tuple_shapes().size();
  if (computation != nullptr && bound != computation->Parameters().size()) {
    return Illegal(instruction, "all {} operands must be bound before the end, found {}",
                   computation->Parameters().size(), bound);
  }
  return computation != nullptr ? computation->root->shape : started.tuple_shapes(1);
}

}  // namespace

const Op op_async_done = {
    .name = "async-done",
    .meaning = "The end of an asynchronous computation.",
    .role = OpRole::kAsyncDone,
    .syntax =
        {
            .attributes = {ReadOnly("async_execution_thread", AttributeKind::kString),
                           ReadOnly("calls", AttributeKind::kComputation)},
            .shape_is_inferable = false,
        },
    .legality =
        {
            .arity = Exactly(1),
            .types = kTuples,
            .layouts = LayoutRule::kInferred,
            .allows_mixed_precision = true,
            .accepts_buffers = true,
            .infer = InferAsyncDone,
        },
    .evaluation = {.evaluate = EvaluateDone, .sees_run_time_sizes = true},
};

}  // namespace assay
