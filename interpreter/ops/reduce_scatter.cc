#include "interpreter/ops/common/collective_rules.h"
#include "interpreter/ops/common/collectives.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> InferReduceScatter(const HloInstruction& instruction) {
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

// result_k[.., j, ..] = folded[.., k * size + j, ..] on the k-th device, for the fold of each operand.
Literal ReduceScatter(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation,
                      const CollectiveSteps& steps) {
  Device& device = evaluation.device();
  const std::int64_t dimension = instruction.Int64s("dimensions")[0];
  const auto participants = ParticipantsOf(instruction, device);
  CheckShardCount(instruction, operands[0].shape(), ElementOrSelf(instruction.shape), participants.size());
  return device.Meet(instruction, participants, {operands.begin(), operands.end()}, [&](Contributions brought) {
    std::vector<std::vector<Literal>> shards(brought.size());
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const Literal folded = steps.fold(instruction.Computation("to_apply"), brought, i, evaluation);
      Shape shape = folded.shape();
      const std::int64_t size = shape.dimensions(dimension) / std::ssize(brought);
      shape.set_dimensions(dimension, size);
      const plain::Index zero(shape.rank(), 0);
      for (std::int64_t k = 0; k < std::ssize(brought); ++k) {
        Literal& shard = shards[k].emplace_back(Literal::Uninitialized(shape));
        steps.copy(folded, Along(zero.size(), dimension, k * size), shard, zero, shape.dimensions());
      }
    }
    std::vector<Literal> results;
    for (std::vector<Literal>& own : shards) results.push_back(Joined(std::move(own)));
    return results;
  });
}

const Op op_reduce_scatter = {
    .name = "reduce-scatter",
    .meaning = "An all-reduce of which each device keeps its shard.",
    .syntax =
        {
            .attributes =
                {Optional("channel_id", AttributeKind::kInt64),
                 Printed("replica_groups", AttributeKind::kReplicaGroups, ReplicaGroups{}),
                 Flag("constrain_layout"),
                 Flag("use_global_device_ids"),
                 ReadOnly("mode", AttributeKind::kEnum,
                          {"cross_replica", "cross_partition", "cross_replica_and_partition", "flattened_id"}),
                 OneDimension("dimensions"),
                 {.name = "to_apply", .kind = AttributeKind::kComputation, .required = true, .body_name = "calls"}},
            .shape_is_inferable = false,
        },
    .legality = {.arity = AtLeast(1), .types = kArrays, .layouts = LayoutRule::kKept, .infer = InferReduceScatter},
    .evaluation = {.evaluate = EvaluateCollective<ReduceScatter, kPlainSteps>, .depends_on_device = true},
};

}  // namespace assay
