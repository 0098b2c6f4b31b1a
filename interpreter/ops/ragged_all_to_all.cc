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

Result<Shape> Infer(const HloInstruction& instruction) {
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

// The slices that one device sends to another, of rows along dimension 0: row `slice` of the offsets and sizes.
struct Rows {
  std::int64_t from, to, count;
};

Rows RowsOf(const std::vector<Literal>& sender, std::int64_t slice) {
  return {sender[2].IntegerAt(slice), sender[4].IntegerAt(slice), sender[3].IntegerAt(slice)};
}

void CopyRows(const HloInstruction& instruction, const std::vector<Literal>& sender, Rows rows, Literal& result) {
  const Literal& input = sender[0];
  const std::int64_t rows_in = input.shape().dimensions(0), rows_out = result.shape().dimensions(0);
  const auto fits = [&](std::int64_t first, std::int64_t size) {
    return first >= 0 && rows.count >= 0 && first <= size && rows.count <= size - first;
  };
  if (rows.count == 0) return;
  if (!fits(rows.from, rows_in) || !fits(rows.to, rows_out)) {
    throw EvaluationError{
        {ErrorCode::kInput,
         fmt::format("ragged-all-to-all sends {} rows from row {} of {} to row {} of {}: out of range", rows.count,
                     rows.from, rows_in, rows.to, rows_out),
         instruction.location}};
  }
  const std::int64_t row_bytes = rows_in == 0 ? 0 : input.byte_size() / rows_in;
  if (row_bytes == 0) return;
  std::memcpy(result.mutable_data() + rows.to * row_bytes, input.data() + rows.from * row_bytes,
              rows.count * row_bytes);
}

// Offsets and sizes are [devices] or [devices, slices]. The sender says where its rows come from, how many there are
// and where they land in the receiver's output; recv_sizes only repeat the senders' sizes.
Literal Evaluate(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
  Device& device = evaluation.device();
  const auto participants = ParticipantsOf(instruction, device);
  const auto count = static_cast<std::int64_t>(participants.size());
  const std::int64_t slices = count == 0 ? 0 : operands[2].element_count() / count;
  if (operands[2].element_count() != slices * count) {
    throw EvaluationError{{ErrorCode::kInput,
                           fmt::format("ragged-all-to-all needs offsets and sizes for each of the {} devices, found {}",
                                       count, operands[2].shape().ToStringWithoutLayout()),
                           instruction.location}};
  }
  return device.Meet(instruction, participants, {operands.begin(), operands.end()},
                     [&](std::span<const std::vector<Literal>> brought) {
                       std::vector<Literal> results;
                       for (std::int64_t k = 0; k < count; ++k) {
                         Literal result = brought[k][1];
                         for (const std::vector<Literal>& sender : brought) {
                           for (std::int64_t s = 0; s < slices; ++s)
                             CopyRows(instruction, sender, RowsOf(sender, k * slices + s), result);
                         }
                         results.push_back(std::move(result));
                       }
                       return results;
                     });
}

}  // namespace

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
    .legality = {.arity = Exactly(6), .types = kArrays, .infer = Infer},
    .evaluation = {.evaluate = Evaluate, .depends_on_device = true},
};

}  // namespace assay
