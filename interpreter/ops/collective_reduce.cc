#include "interpreter/ops/common/collective_rules.h"
#include "interpreter/ops/common/collectives.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// The root of each operand gets the fold, the others keep what they brought.
Literal Evaluate(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
  Device& device = evaluation.device();
  return device.Meet(instruction, ParticipantsOf(instruction, device), {operands.begin(), operands.end()},
                     [&](std::span<const std::vector<Literal>> brought) {
                       const std::size_t count = DataOperands(instruction).size();
                       const auto reducer = evaluation.Scalar(instruction.Computation("to_apply"));
                       std::vector<std::vector<Literal>> data;
                       for (const auto& part : brought) data.emplace_back(part.begin(), part.begin() + count);
                       const std::vector<Literal> folded = FoldContributions(*reducer, data);
                       for (std::size_t i = 0; i < count; ++i) data[RootOf(instruction, brought, i)][i] = folded[i];
                       std::vector<Literal> results;
                       for (auto& part : data) results.push_back(Joined(std::move(part)));
                       return results;
                     });
}

}  // namespace

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
    .evaluation = {.evaluate = Evaluate, .depends_on_device = true},
    .acceptance = {.rule = Acceptance::kCalled},
};

}  // namespace assay
