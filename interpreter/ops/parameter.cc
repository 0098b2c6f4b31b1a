#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> InferParameter(const HloInstruction& instruction) { return instruction.shape; }

}  // namespace

const Op op_parameter = {
    .name = "parameter",
    .meaning = "An argument of the computation.",
    .role = OpRole::kParameter,
    .syntax =
        {
            .attributes = {Optional("parameter_replication", AttributeKind::kBoolList)},
            .shape_is_inferable = false,
        },
    .legality =
        {
            .arity = Exactly(0),
            .types = kAny,
            .allows_mixed_precision = true,
            .accepts_buffers = true,
            .infer = InferParameter,
        },
};

}  // namespace assay
