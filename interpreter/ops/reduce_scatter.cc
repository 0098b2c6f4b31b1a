#include "interpreter/ops/collective_rules.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> Infer(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckCollectiveReducer(instruction));
  ASSAY_TRY(const std::int64_t dimension, CollectiveDimension(instruction));
  ASSAY_TRY(const std::int64_t group_size, CheckReplicaGroups(instruction));
  std::vector<Shape> shards;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    Shape shape = instruction.operands[i]->shape;
    ASSAY_TRY(const Shape result, DeclaredResult(instruction, instruction.shape, static_cast<std::int64_t>(i)));
    ASSAY_TRY(const std::int64_t shard, DeclaredSize(instruction, result, shape.rank(), dimension));
    ASSAY_CHECK_OK(CheckShards(instruction, shape.dimensions(dimension), shard, group_size));
    shape.set_dimensions(dimension, shard);
    shards.push_back(std::move(shape));
  }
  return shards.size() == 1 ? shards.front() : ShapeUtil::MakeTupleShape(std::move(shards));
}

}  // namespace

const Op op_reduce_scatter = {
    .name = "reduce-scatter",
    .meaning = "An all-reduce of which each device keeps its shard.",
    .arity = AtLeast(1),
    .types = kArrays,
    .attributes = {Optional("channel_id", AttributeKind::kInt64),
                   Printed("replica_groups", AttributeKind::kReplicaGroups, ReplicaGroups{}),
                   Flag("constrain_layout"),
                   Flag("use_global_device_ids"),
                   ReadOnly("mode", AttributeKind::kEnum,
                            {"cross_replica", "cross_partition", "cross_replica_and_partition", "flattened_id"}),
                   OneDimension("dimensions"),
                   {.name = "to_apply", .kind = AttributeKind::kComputation, .required = true, .body_name = "calls"}},
    .shape_is_inferable = false,
    .infer = Infer,
    .not_evaluated = "needs several devices",
    .acceptance = Acceptance::kCalled,
};

}  // namespace assay
