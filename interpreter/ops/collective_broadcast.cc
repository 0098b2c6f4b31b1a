#include "interpreter/ops/common/collective_rules.h"
#include "interpreter/ops/common/collectives.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> InferCollectiveBroadcast(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckArrayOperands(instruction));
  const auto group_size = CheckReplicaGroups(instruction, GroupRule::kSubset);
  if (!group_size) return group_size.error();
  return ShapeOfOperands(instruction);
}

// Returns zeros, without waiting, on a device that no group names.
Literal EvaluateCollectiveBroadcast(const HloInstruction& instruction, std::span<Literal> operands,
                                    Evaluation& evaluation) {
  Device& device = evaluation.device();
  const auto participants = ParticipantsOf(instruction, device);
  if (participants.empty()) return Literal(instruction.shape);
  return device.Meet(instruction, participants, {operands.begin(), operands.end()},
                     [&](std::span<const std::vector<Literal>> brought) {
                       std::vector<Literal> sent;
                       for (std::size_t i = 0; i < DataOperands(instruction).size(); ++i) {
                         sent.push_back(brought[RootOf(instruction, brought, i)][i]);
                       }
                       return std::vector<Literal>(brought.size(), Joined(std::move(sent)));
                     });
}

}  // namespace

const Op op_collective_broadcast = {
    .name = "collective-broadcast",
    .meaning = "The operand of the first device of each group, on all of them.",
    .syntax =
        {
            .attributes = {Optional("channel_id", AttributeKind::kInt64),
                           Printed("replica_groups", AttributeKind::kReplicaGroups, ReplicaGroups{}),
                           Flag("has_dynamic_root")},
            .shape_is_inferable = false,
        },
    .legality = {.arity = AtLeast(1), .types = kArrays, .infer = InferCollectiveBroadcast},
    .evaluation = {.evaluate = EvaluateCollectiveBroadcast, .depends_on_device = true},
};

}  // namespace assay
