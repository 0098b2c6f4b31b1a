#include <fmt/format.h>

#include <vector>

#include "interpreter/ops/common/collective_rules.h"
#include "interpreter/ops/common/collectives.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/strided_copy.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"

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

// Block `from` of an array that is split into `count` along a dimension goes to the place of block `to`.
void CopyBlock(const Literal& array, std::int64_t dimension, std::int64_t count, std::int64_t from, std::int64_t to,
               Literal& result) {
  Dimensions block = array.shape().dimensions();
  block[dimension] /= count;
  const auto strides = RowMajorStrides(array.shape().dimensions());
  const int bytes = StorageBytes(array.element_type());
  const std::int64_t step = block[dimension] * strides[dimension] * bytes;
  StridedCopy(bytes, block, strides, strides)
      .ParallelCopy(array.data() + from * step, result.mutable_data() + to * step);
}

// Device k gets block (or operand) k of every device, in the order of the group.
Literal Evaluate(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
  Device& device = evaluation.device();
  const auto participants = ParticipantsOf(instruction, device);
  const bool is_tuple = !instruction.Has("dimensions");
  if (is_tuple && participants.size() != operands.size()) {
    throw EvaluationError{{ErrorCode::kInput,
                           fmt::format("all-to-all has {} operands, but {} devices run in the group", operands.size(),
                                       participants.size()),
                           instruction.location}};
  }
  return device.Meet(instruction, participants, {operands.begin(), operands.end()},
                     [&](std::span<const std::vector<Literal>> brought) {
                       const std::size_t count = brought.size();
                       std::vector<Literal> results;
                       for (std::size_t k = 0; k < count; ++k) {
                         if (is_tuple) {
                           std::vector<Literal> elements;
                           for (const std::vector<Literal>& part : brought) elements.push_back(part[k]);
                           results.push_back(Literal::MakeTuple(std::move(elements)));
                           continue;
                         }
                         results.push_back(Literal::Uninitialized(brought[k][0].shape()));
                         for (std::size_t j = 0; j < count; ++j) {
                           CopyBlock(brought[j][0], instruction.Int64s("dimensions")[0],
                                     static_cast<std::int64_t>(count), static_cast<std::int64_t>(k),
                                     static_cast<std::int64_t>(j), results[k]);
                         }
                       }
                       return results;
                     });
}

}  // namespace

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
    .legality = {.arity = AtLeast(1), .types = kArrays, .layouts = LayoutRule::kKept, .infer = Infer},
    .evaluation = {.evaluate = Evaluate, .depends_on_device = true},
};

}  // namespace assay
