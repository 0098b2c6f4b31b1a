#include "interpreter/ops/common/collective_rules.h"
#include "interpreter/ops/common/collectives.h"
#include "interpreter/ops/record.h"

namespace assay {

// The root returns the fold of each operand. The other devices of the group return their own operands.
Literal CollectiveReduce(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation,
                         const CollectiveSteps& steps) {
  Device& device = evaluation.device();
  return device.Meet(instruction, ParticipantsOf(instruction, device), {operands.begin(), operands.end()},
                     [&](Contributions brought) {
                       const std::size_t count = DataOperands(instruction).size();
                       std::vector<std::vector<Literal>> data;
                       for (const auto& own : brought) data.emplace_back(own.begin(), own.begin() + count);
                       for (std::size_t i = 0; i < count; ++i) {
                         data[RootOf(instruction, brought, i)][i] =
                             steps.fold(instruction.Computation("to_apply"), brought, i, evaluation);
                       }
                       std::vector<Literal> results;
                       for (auto& own : data) results.push_back(Joined(std::move(own)));
                       return results;
                     });
}

const Op op_collective_reduce = {
    .name = "collective-reduce",
    .meaning = "Operands of all devices of a group, folded for one of them.",
    .syntax =
        {
            .attributes =
                {Optional("channel_id", AttributeKind::kInt64),
                 Printed("replica_groups", AttributeKind::kReplicaGroups, ReplicaGroups{}),
                 Flag("constrain_layout"),
                 Flag("use_global_device_ids"),
                 Flag("has_dynamic_root"),
                 {.name = "to_apply", .kind = AttributeKind::kComputation, .required = true, .body_name = "calls"}},
            .shape_is_inferable = false,
        },
    .legality = {.arity = AtLeast(1), .types = kArrays, .infer = InferAllReduce},
    .evaluation = {.evaluate = EvaluateCollective<CollectiveReduce, kPlainSteps>, .depends_on_device = true},
};

}  // namespace assay
