// Replays the steps of a loop over small arrays, without the evaluator's bookkeeping.
#include "interpreter/kernels/kernels.h"
#include "interpreter/kernels/loops/loop_bodies.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

PreparedFunction PrepareWhile(const HloInstruction& loop, const OpOverrides& overrides) {
  return PrepareLoop(loop, {.overrides = overrides});
}

}  // namespace

const OpKernel kernel_while = {.op = &op_while, .prepare = PrepareWhile};

}  // namespace assay
