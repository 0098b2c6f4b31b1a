#include "interpreter/ops/collective_rules.h"
#include "interpreter/ops/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// With `dimensions`, one array is split and joined along them; without, each device of the group has its own operand.
Result<Shape> Infer(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckArrayOperands(instruction));
  ASSAY_TRY(const std::int64_t group_size, CheckReplicaGroups(instruction));
  const auto operand_count = static_cast<std::int64_t>(instruction.operands.size());
  if (instruction.Has("dimensions")) {
    ASSAY_TRY(const std::int64_t dimension, CollectiveDimension(instruction));
    const std::int64_t size = instruction.operand(0).shape.dimensions(dimension);
    if (operand_count != 1) return Illegal(instruction, "with dimensions takes one operand, found {}", operand_count);
    if (size % group_size == 0) return instruction.operand(0).shape;
    return Illegal(instruction, "dimension {} of size {} cannot be split between the {} devices of a group", dimension,
                   size, group_size);
  }
  if (operand_count != group_size) {
    return Illegal(instruction, "takes one operand for each of the {} devices of a group, found {}", group_size,
                   operand_count);
  }
  for (const HloInstruction* operand : instruction.operands) {
    if (ShapeUtil::Compatible(operand->shape, instruction.operand(0).shape)) continue;
    return Illegal(instruction, "operands must have the same shape, found {} and {}",
                   instruction.operand(0).shape.ToStringWithoutLayout(), operand->shape.ToStringWithoutLayout());
  }
  return ShapeUtil::MakeTupleShape(std::vector<Shape>(operand_count, instruction.operand(0).shape));
}

}  // namespace

const Op op_all_to_all = {
    .name = "all-to-all",
    .meaning = "Blocks exchanged between all devices of a group.",
    .arity = AtLeast(1),
    .types = kArrays,
    .attributes = {Optional("channel_id", AttributeKind::kInt64),
                   Printed("replica_groups", AttributeKind::kReplicaGroups, ReplicaGroups{}), Flag("constrain_layout"),
                   OneDimension("dimensions", /*required=*/false)},
    .shape_is_inferable = false,
    .infer = Infer,
    .not_evaluated = "needs several devices",
};

}  // namespace assay
