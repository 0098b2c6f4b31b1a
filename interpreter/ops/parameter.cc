#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> Infer(const HloInstruction& instruction) { return instruction.shape; }

}  // namespace

const Op op_parameter = {
    .name = "parameter",
    .meaning = "An argument of the computation.",
    .arity = Exactly(0),
    .types = kAny,
    .attributes = {Optional("parameter_replication", AttributeKind::kBoolList)},
    .shape_is_inferable = false,
    .role = OpRole::kParameter,
    .allows_mixed_precision = true,
    .accepts_buffers = true,
    .infer = Infer,
};

}  // namespace assay
