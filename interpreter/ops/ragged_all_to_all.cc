#include <fmt/format.h>

#include <cstring>
#include <utility>
#include <vector>

#include "interpreter/ops/common/collective_rules.h"
#include "interpreter/ops/common/collectives.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> InferRaggedAllToAll(const HloInstruction& instruction) {
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

// Rows from, from + 1, ... of the sender's input, copied to rows to, to + 1, ... of the receiver's result.
struct Rows {
  std::int64_t from, to, count;
};

void CheckRows(const HloInstruction& instruction, const Rows& rows, std::int64_t rows_in, std::int64_t rows_out) {
  const auto fits = [&](std::int64_t first, std::int64_t size) {
    return first >= 0 && rows.count >= 0 && first <= size && rows.count <= size - first;
  };
  if (rows.count == 0 || (fits(rows.from, rows_in) && fits(rows.to, rows_out))) return;
  throw EvaluationError{{ErrorCode::kInput,
                         fmt::format("ragged-all-to-all sends {} rows from row {} of {} to row {} of {}: out of range",
                                     rows.count, rows.from, rows_in, rows.to, rows_out),
                         instruction.location}};
}

}  // namespace

// result_k = output_k with result_k[output_offsets_m[k] + j] = input_m[input_offsets_m[k] + j], 0 <= j <
// send_sizes_m[k], for every sender m. Offsets and sizes are [devices], or [devices, runs]. recv_sizes repeat the
// senders' sizes.
Literal RaggedAllToAll(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation,
                       const CollectiveSteps& steps) {
  Device& device = evaluation.device();
  const auto participants = ParticipantsOf(instruction, device);
  const auto count = static_cast<std::int64_t>(participants.size());
  const std::int64_t runs = count == 0 ? 0 : operands[2].element_count() / count;
  if (operands[2].element_count() != runs * count) {
    throw EvaluationError{{ErrorCode::kInput,
                           fmt::format("ragged-all-to-all needs offsets and sizes for each of the {} devices, found {}",
                                       count, operands[2].shape().ToStringWithoutLayout()),
                           instruction.location}};
  }
  return device.Meet(instruction, participants, {operands.begin(), operands.end()}, [&](Contributions brought) {
    std::vector<Literal> results;
    for (std::int64_t k = 0; k < count; ++k) {
      Literal result = brought[k][1];
      for (const std::vector<Literal>& sender : brought) {
        const Literal& input = sender[0];
        for (std::int64_t run = k * runs; run < (k + 1) * runs; ++run) {
          const Rows rows = {sender[2].IntegerAt(run), sender[4].IntegerAt(run), sender[3].IntegerAt(run)};
          CheckRows(instruction, rows, input.shape().dimensions(0), result.shape().dimensions(0));
          Dimensions sizes = input.shape().dimensions();
          sizes[0] = rows.count;
          steps.copy(input, Along(sizes.size(), 0, rows.from), result, Along(sizes.size(), 0, rows.to), sizes);
        }
      }
      results.push_back(std::move(result));
    }
    return results;
  });
}

const Op op_ragged_all_to_all = {
    .name = "ragged-all-to-all",
    .meaning = "Ragged blocks exchanged between all devices of a group.",
    .syntax =
        {
            .attributes = {Optional("channel_id", AttributeKind::kInt64),
                           Printed("replica_groups", AttributeKind::kReplicaGroups, ReplicaGroups{}),
                           ReadOnly("dimensions", AttributeKind::kInt64List)},
            .shape_is_inferable = false,
        },
    .legality = {.arity = Exactly(6), .types = kArrays, .infer = InferRaggedAllToAll},
    .evaluation = {.evaluate = EvaluateCollective<RaggedAllToAll, kPlainSteps>, .depends_on_device = true},
};

}  // namespace assay
