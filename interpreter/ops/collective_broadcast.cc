#include "interpreter/ops/collective_rules.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> Infer(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckArrayOperands(instruction));
  const auto group_size = CheckReplicaGroups(instruction, GroupRule::kSubset);
  if (!group_size) return group_size.error();
  return ShapeOfOperands(instruction);
}

}  // namespace

const Op op_collective_broadcast = {
    .name = "collective-broadcast",
    .meaning = "The operand of the first device of each group, on all of them.",
    .arity = AtLeast(1),
    .types = kArrays,
    .attributes = {Optional("channel_id", AttributeKind::kInt64),
                   Printed("replica_groups", AttributeKind::kReplicaGroups, ReplicaGroups{}),
                   ReadOnly("has_dynamic_root", AttributeKind::kBool)},
    .shape_is_inferable = false,
    .infer = Infer,
    .not_evaluated = "needs several devices",
};

}  // namespace assay
