#include "interpreter/ops/common/collective_rules.h"
#include "interpreter/ops/common/collectives.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> Infer(const HloInstruction& instruction) { return InferAllGather(instruction, instruction.shape); }

}  // namespace

const Op op_all_gather = {
    .name = "all-gather",
    .meaning = "Operands of all devices of a group, joined along one dimension.",
    .syntax = {.attributes = AllGatherAttributes(), .shape_is_inferable = false},
    .legality =
        {
            .arity = AtLeast(1),
            .types = kArrays,
            .layouts = LayoutRule::kKept,
            .allows_mixed_precision = true,
            .infer = Infer,
        },
    .evaluation = {.evaluate = EvaluateAllGather, .depends_on_device = true},
};

}  // namespace assay
