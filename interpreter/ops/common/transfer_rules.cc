#include "interpreter/ops/common/transfer_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "interpreter/hlo/annotation_text.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// Returns the numbers of "{{0,1},{1,2}}" in the frontend attribute, in order; nullopt without it.
std::optional<std::vector<std::int64_t>> NumbersOfPairs(const HloInstruction& instruction) {
  const auto text = FrontendAttribute(instruction, "_xla_send_recv_source_target_pairs");
  if (!text) return std::nullopt;
  std::vector<std::int64_t> numbers;
  for (const char *at = text->data(), *end = at + text->size(); at < end;) {
    std::int64_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error == std::errc()) numbers.push_back(number);
    at = std::max(at + 1, next);
  }
  return numbers;
}

DeviceId DeviceWithId(const HloInstruction& instruction, std::int64_t id, const Device& device) {
  const bool are_partitions = device.partition_count() > 1;
  const std::int64_t count = are_partitions ? device.partition_count() : device.replica_count();
  if (id < 0 || id >= count) {
    throw EvaluationError{
        {ErrorCode::kInput,
         fmt::format("the source-target pairs of {} name {}, outside [0, {})", instruction.name, id, count),
         instruction.location}};
  }
  return are_partitions ? DeviceId{device.id().replica, id} : DeviceId{id, device.id().partition};
}

// Returns the other end of the pair that has the running device at position `own`; 0 is the source.
TransferPeer PeerOf(const HloInstruction& instruction, const Device& device, std::size_t own) {
  const auto written = NumbersOfPairs(instruction);
  if (!written) return {};
  const std::vector<std::int64_t>& numbers = *written;
  if (numbers.size() % 2 != 0) {
    throw EvaluationError{{ErrorCode::kInput,
                           fmt::format("the source-target pairs of {} cannot be read", instruction.name),
                           instruction.location}};
  }
  for (std::size_t i = 0; i < numbers.size(); i += 2) {
    if (DeviceWithId(instruction, numbers[i + own], device) != device.id()) continue;
    return {true, DeviceWithId(instruction, numbers[i + 1 - own], device)};
  }
  return {false, std::nullopt};
}

}  // namespace

Op Transfer(Op op) {
  op.syntax.attributes = {Optional("channel_id", AttributeKind::kInt64), Flag("is_host_transfer")};
  op.syntax.shape_is_inferable = false;
  op.legality.layouts = LayoutRule::kInferred;
  op.legality.allows_mixed_precision = true;
  op.evaluation.has_side_effect = true;
  op.evaluation.depends_on_device = true;
  op.evaluation.sees_run_time_sizes = true;
  return op;
}

Status CheckStarted(const HloInstruction& done) {
  const Shape& context = done.operand(0).shape;
  if (context.IsTuple() && context.tuple_shapes().size() == 3) return {};
  return Illegal(done, "operand 0 must be (data, u32[], token[]), found {}", context.ToStringWithoutLayout());
}

Shape TransferShape(const Shape& data) {
  return ShapeUtil::MakeTupleShape({data, ShapeUtil::MakeScalarShape(U32), ShapeUtil::MakeTokenShape()});
}

void ModernizeTransfer(HloInstruction& start, const Shape& data) {
  const Shape known[] = {TransferShape(data), ShapeUtil::MakeTupleShape({data, ShapeUtil::MakeScalarShape(U32)}),
                         ShapeUtil::MakeTupleShape({data, data, ShapeUtil::MakeTokenShape()})};
  const auto is_written = [&](const Shape& shape) { return ShapeUtil::Compatible(start.shape, shape); };
  if (std::ranges::any_of(known, is_written)) start.shape = TransferShape(data);
}

TransferPeer TargetOf(const HloInstruction& send, const Device& device) { return PeerOf(send, device, 0); }

TransferPeer SourceOf(const HloInstruction& recv, const Device& device) { return PeerOf(recv, device, 1); }

std::int64_t DevicesInPairs(const HloInstruction& transfer) {
  const auto numbers = NumbersOfPairs(transfer);
  if (!numbers || numbers->empty()) return 0;
  const std::int64_t most = std::ranges::max(*numbers);
  return most == INT64_MAX ? most : most + 1;
}

}  // namespace assay
