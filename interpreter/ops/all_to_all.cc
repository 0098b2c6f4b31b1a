#include <fmt/format.h>

#include <vector>

#include "interpreter/ops/common/collective_rules.h"
#include "interpreter/ops/common/collectives.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// With `dimensions`, splits and joins one array along them. Otherwise each device of the group has its own operand.
Result<Shape> InferAllToAll(const HloInstruction& instruction) {
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
  // A module that names no devices may be compiled for as many as there are operands.
  const auto* groups = instruction.Find<ReplicaGroups>("replica_groups");
  const bool names_devices =
      instruction.parent->module->device_count() > 1 || (groups != nullptr && !groups->groups.empty());
  if (operand_count != group_size && names_devices) {
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

// result_k[.., m * size + j, ..] = operand_m[.., k * size + j, ..]. Without `dimensions`, element m of result_k is
// operand k of device m.
Literal AllToAll(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation,
                 const CollectiveSteps& steps) {
  Device& device = evaluation.device();
  const auto participants = ParticipantsOf(instruction, device);
  const bool is_tuple = !instruction.Has("dimensions");
  if (is_tuple && participants.size() != operands.size()) {
    throw EvaluationError{{ErrorCode::kInput,
                           fmt::format("all-to-all has {} operands, but {} devices run in the group", operands.size(),
                                       participants.size()),
                           instruction.location}};
  }
  return device.Meet(instruction, participants, {operands.begin(), operands.end()}, [&](Contributions brought) {
    std::vector<Literal> results;
    for (std::int64_t k = 0; k < std::ssize(brought); ++k) {
      if (is_tuple) {
        std::vector<Literal> elements;
        for (const std::vector<Literal>& operands_of_sender : brought) elements.push_back(operands_of_sender[k]);
        results.push_back(Literal::MakeTuple(std::move(elements)));
        continue;
      }
      Literal& result = results.emplace_back(Literal::Uninitialized(brought[k][0].shape()));
      const std::int64_t dimension = instruction.Int64s("dimensions")[0];
      Dimensions block = result.shape().dimensions();
      const std::int64_t size = block[dimension] /= std::ssize(brought);
      for (std::int64_t m = 0; m < std::ssize(brought); ++m) {
        steps.copy(brought[m][0], Along(block.size(), dimension, k * size), result,
                   Along(block.size(), dimension, m * size), block);
      }
    }
    return results;
  });
}

const Op op_all_to_all = {
    .name = "all-to-all",
    .meaning = "Blocks exchanged between all devices of a group.",
    .syntax =
        {
            .attributes = {Optional("channel_id", AttributeKind::kInt64),
                           Printed("replica_groups", AttributeKind::kReplicaGroups, ReplicaGroups{}),
                           Flag("constrain_layout"), OneDimension("dimensions", /*required=*/false)},
            .shape_is_inferable = false,
        },
    .legality = {.arity = AtLeast(1), .types = kArrays, .layouts = LayoutRule::kKept, .infer = InferAllToAll},
    .evaluation = {.evaluate = EvaluateCollective<AllToAll, kPlainSteps>, .depends_on_device = true},
};

}  // namespace assay
