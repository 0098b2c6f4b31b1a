#include "interpreter/ops/common/collective_rules.h"
#include "interpreter/ops/common/collectives.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> InferGathered(const HloInstruction& instruction) {
  return InferAllGather(instruction, instruction.shape);
}

}  // namespace

// result[.., k * size + j, ..] = operand_k[.., j, ..] on every device of the group, for each operand.
Literal AllGather(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation,
                  const CollectiveSteps& steps) {
  Device& device = evaluation.device();
  const std::int64_t dimension = instruction.Int64s("dimensions")[0];
  const auto participants = ParticipantsOf(instruction, device);
  // The start's result is (operands, gathered).
  const Shape& result = instruction.op->legality.done.empty() ? instruction.shape : instruction.shape.tuple_shapes(1);
  CheckShardCount(instruction, ElementOrSelf(result), operands[0].shape(), participants.size());
  return device.Meet(instruction, participants, {operands.begin(), operands.end()}, [&](Contributions brought) {
    std::vector<Literal> results;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      Shape shape = brought[0][i].shape();
      const Dimensions part = shape.dimensions();
      shape.set_dimensions(dimension, part[dimension] * std::ssize(brought));
      Literal& gathered = results.emplace_back(Literal::Uninitialized(shape));
      for (std::int64_t k = 0; k < std::ssize(brought); ++k) {
        const plain::Index start = Along(part.size(), dimension, k * part[dimension]);
        steps.copy(brought[k][i], plain::Index(part.size(), 0), gathered, start, part);
      }
    }
    return std::vector<Literal>(brought.size(), Joined(std::move(results)));
  });
}

const Op op_all_gather = {
    .name = "all-gather",
    .meaning = "Operands of all devices of a group, joined along one dimension.",
    .syntax = {.attributes = AllGatherAttributes(), .shape_is_inferable = false},
    .legality =
        {
            .arity = AtLeast(1),
            .types = kArrays,
            .layouts = LayoutRule::kKept,
            .allows_mixed_precision = true,
            .infer = InferGathered,
        },
    .evaluation = {.evaluate = EvaluateCollective<AllGather, kPlainSteps>, .depends_on_device = true},
};

}  // namespace assay
