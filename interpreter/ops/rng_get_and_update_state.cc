#include "interpreter/hlo/device.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> InferRngGetAndUpdateState(const HloInstruction&) { return ShapeUtil::MakeShape(U64, {2}); }

Literal EvaluateRngGetAndUpdateState(const HloInstruction& instruction, std::span<Literal>, Evaluation& evaluation) {
  Literal state(instruction.shape);
  const auto before = evaluation.device().AdvanceRandomState(static_cast<std::uint64_t>(instruction.Int64("delta")));
  state.mutable_values<std::uint64_t>()[0] = before[0];
  state.mutable_values<std::uint64_t>()[1] = before[1];
  return state;
}

}  // namespace

const Op op_rng_get_and_update_state = {
    .name = "rng-get-and-update-state",
    .meaning = "The module-wide generator state, advanced by delta.",
    .syntax = {.attributes = {Required("delta", AttributeKind::kInt64)}, .shape_is_inferable = false},
    .legality = {.arity = Exactly(0), .types = TypesOf(U64), .infer = InferRngGetAndUpdateState},
    .evaluation = {.evaluate = EvaluateRngGetAndUpdateState, .has_side_effect = true, .depends_on_device = true},
};

}  // namespace assay
