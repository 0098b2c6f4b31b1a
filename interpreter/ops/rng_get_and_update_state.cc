#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> Infer(const HloInstruction&) { return ShapeUtil::MakeShape(U64, {2}); }

}  // namespace

const Op op_rng_get_and_update_state = {
    .name = "rng-get-and-update-state",
    .meaning = "The module-wide generator state, advanced by delta.",
    .arity = Exactly(0),
    .types = TypesOf(U64),
    .attributes = {Required("delta", AttributeKind::kInt64)},
    .shape_is_inferable = false,
    .has_side_effect = true,
    .infer = Infer,
    .not_evaluated = "depends on a state outside the module",
};

}  // namespace assay
