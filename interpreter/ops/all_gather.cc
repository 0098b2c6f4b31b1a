#include "interpreter/ops/collective_rules.h"
#include "interpreter/ops/collectives.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> Infer(const HloInstruction& instruction) { return InferAllGather(instruction, instruction.shape); }

}  // namespace

const Op op_all_gather = {
    .name = "all-gather",
    .meaning = "Operands of all devices of a group, joined along one dimension.",
    .arity = AtLeast(1),
    .types = kArrays,
    .attributes = AllGatherAttributes(),
    .shape_is_inferable = false,
    .allows_mixed_precision = true,
    .depends_on_device = true,
    .layouts = LayoutRule::kKept,
    .infer = Infer,
    .evaluate = EvaluateAllGather,
};

}  // namespace assay
