#include "interpreter/ops/collective_rules.h"
#include "interpreter/ops/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> Infer(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckArrayOperands(instruction));
  const auto group_size = CheckReplicaGroups(instruction);
  if (!group_size) return group_size.error();
  const Shape& input = instruction.operand(0).shape;
  const Shape& output = instruction.operand(1).shape;
  bool same_rows = input.element_type() == output.element_type() && input.rank() == output.rank() && input.rank() > 0;
  for (std::int64_t d = 1; same_rows && d < input.rank(); ++d) {
    same_rows = input.dimensions(d) == output.dimensions(d);
  }
  if (!same_rows) {
    return Illegal(instruction, "input and output must agree but for dimension 0, found {} and {}",
                   input.ToStringWithoutLayout(), output.ToStringWithoutLayout());
  }
  const Shape& offsets = instruction.operand(2).shape;
  if (!IsIntegralType(offsets.element_type()) || offsets.rank() < 1 || offsets.rank() > 2) {
    return Illegal(instruction, "offsets and sizes must be integers of rank 1 or 2, found {}",
                   offsets.ToStringWithoutLayout());
  }
  for (std::int64_t i = 3; i < 6; ++i) {
    const Shape& shape = instruction.operand(i).shape;
    if (ShapeUtil::Compatible(shape, offsets)) continue;
    return Illegal(instruction, "offsets and sizes must have the same shape, found {} and {}",
                   offsets.ToStringWithoutLayout(), shape.ToStringWithoutLayout());
  }
  return output;
}

}  // namespace

const Op op_ragged_all_to_all = {
    .name = "ragged-all-to-all",
    .meaning = "Ragged blocks exchanged between all devices of a group.",
    .arity = Exactly(6),
    .types = kArrays,
    .attributes = {Optional("channel_id", AttributeKind::kInt64),
                   Printed("replica_groups", AttributeKind::kReplicaGroups, ReplicaGroups{}),
                   ReadOnly("dimensions", AttributeKind::kInt64List)},
    .shape_is_inferable = false,
    .infer = Infer,
    .not_evaluated = "needs several devices",
};

}  // namespace assay
