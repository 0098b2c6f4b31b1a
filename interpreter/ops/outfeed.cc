#include "interpreter/ops/record.h"

namespace assay {
namespace {

Status Normalize(HloInstruction& outfeed) {
  if (!outfeed.Has("outfeed_shape")) outfeed.Set("outfeed_shape", outfeed.operand(0).shape);
  return {};
}

}  // namespace

const Op op_outfeed = {
    .name = "outfeed",
    .meaning = "Data to the host.",
    .arity = Exactly(2),
    .types = kAny,
    .attributes = {Optional("outfeed_shape", AttributeKind::kShape),
                   Optional("outfeed_config", AttributeKind::kString)},
    .shape_is_inferable = false,
    .has_side_effect = true,
    .normalize = Normalize,
};

}  // namespace assay
