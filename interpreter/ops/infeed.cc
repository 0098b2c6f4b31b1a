#include <algorithm>

#include "interpreter/hlo/device.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// Checks the written result; the data's shape is part of it.
Result<Shape> InferInfeed(const HloInstruction& instruction) {
  const Shape& declared = instruction.shape;
  if (!declared.IsTuple() || declared.tuple_shapes().size() != 2 || !declared.tuple_shapes(1).IsToken()) {
    return Illegal(instruction, "the result must be (data, token[]), found {}", declared.ToStringWithoutLayout());
  }
  const Shape& data = declared.tuple_shapes(0);
  if (data.IsArray() || (data.IsTuple() && std::ranges::all_of(data.tuple_shapes(), &Shape::IsArray))) return declared;
  return Illegal(instruction, "the data must be an array or a tuple of arrays, found {}", data.ToStringWithoutLayout());
}

Literal EvaluateInfeed(const HloInstruction& infeed, std::span<Literal>, Evaluation& evaluation) {
  const Shape& data = infeed.shape.tuple_shapes(0);
  // An empty tuple reads nothing from the host.
  const bool is_empty = data.IsTuple() && data.tuple_shapes().empty();
  return Literal::MakeTuple(
      {is_empty ? Literal::MakeTuple({}) : evaluation.device().TakeFromHost(infeed, data), Literal::MakeToken()});
}

}  // namespace

const Op op_infeed = {
    .name = "infeed",
    .meaning = "Data from the host.",
    .syntax = {.attributes = {Optional("infeed_config", AttributeKind::kString)}, .shape_is_inferable = false},
    .legality =
        {
            .arity = Exactly(1),
            .types = kTokens,
            .layouts = LayoutRule::kInferred,
            .allows_mixed_precision = true,
            .infer = InferInfeed,
        },
    .evaluation =
        {
            .evaluate = EvaluateInfeed,
            .has_side_effect = true,
            .depends_on_device = true,
            .sees_run_time_sizes = true,
        },
};

}  // namespace assay
