#include "interpreter/ops/common/collective_rules.h"
#include "interpreter/ops/common/collectives.h"
#include "interpreter/ops/record.h"

namespace assay {

// result[i] is the fold of operand_0[i], operand_1[i], ... on every device of the group, for each operand.
Literal AllReduce(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation,
                  const CollectiveSteps& steps) {
  Device& device = evaluation.device();
  return device.Meet(instruction, ParticipantsOf(instruction, device), {operands.begin(), operands.end()},
                     [&](Contributions brought) {
                       std::vector<Literal> folded;
                       for (std::size_t i = 0; i < operands.size(); ++i) {
                         folded.push_back(steps.fold(instruction.Computation("to_apply"), brought, i, evaluation));
                       }
                       return std::vector<Literal>(brought.size(), Joined(std::move(folded)));
                     });
}

const Op op_all_reduce = {
    .name = "all-reduce",
    .meaning = "Operands of all devices of a group, folded by a computation.",
    .syntax = {.attributes = AllReduceAttributes(), .shape_is_inferable = false},
    .legality =
        {
            .arity = AtLeast(1),
            .types = kArrays,
            .layouts = LayoutRule::kKept,
            .allows_mixed_precision = true,
            .infer = InferAllReduce,
        },
    .evaluation = {.evaluate = EvaluateCollective<AllReduce, kPlainSteps>, .depends_on_device = true},
};

}  // namespace assay
