#include <iterator>
#include <vector>

#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// XLA's parser: parameter_replication has a flag for each leaf.
Result<Shape> InferParameter(const HloInstruction& parameter) {
  const auto* flags = parameter.Find<std::vector<bool>>("parameter_replication");
  if (flags == nullptr || std::ssize(*flags) == ShapeUtil::LeafCount(parameter.shape)) return parameter.shape;
  return Illegal(parameter, "parameter_replication must have a flag for each of the {} leaves of {}, found {}",
                 ShapeUtil::LeafCount(parameter.shape), parameter.shape.ToStringWithoutLayout(), flags->size());
}

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
