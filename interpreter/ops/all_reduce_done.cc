#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> Infer(const HloInstruction& instruction) { return instruction.operand(0).shape; }

}  // namespace

const Op op_all_reduce_done = {
    .name = "all-reduce-done",
    .meaning = "The end of an asynchronous all-reduce.",
    .arity = Exactly(1),
    .types = kAny,
    .allows_mixed_precision = true,
    .infer = Infer,
    .not_evaluated = "needs several devices",
};

}  // namespace assay
