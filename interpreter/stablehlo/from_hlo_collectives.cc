// Collective ops. The start of an asynchronous pair becomes the whole operation.
#include <algorithm>

#include "interpreter/hlo/op.h"
#include "interpreter/stablehlo/from_hlo_rows.h"

namespace assay::stablehlo {
namespace {

std::vector<Int64List> GroupsOf(const HloInstruction& instruction) {
  const auto* groups = instruction.Find<ReplicaGroups>("replica_groups");
  return groups == nullptr ? std::vector<Int64List>() : groups->groups;
}

// Sets the replica groups, padded with -1 to equal lengths, and the channel.
void AddParticipants(const HloInstruction& instruction, Operation& operation) {
  std::vector<Int64List> groups = GroupsOf(instruction);
  std::size_t longest = 0;
  for (const Int64List& group : groups) longest = std::max(longest, group.size());
  for (Int64List& group : groups) group.resize(longest, -1);
  Set(operation, "replica_groups", RowsOf(groups, static_cast<std::int64_t>(longest)));
}

void AddChannel(const HloInstruction& instruction, Operation& operation) {
  if (!instruction.Has("channel_id")) return;
  Set(operation, "channel_handle",
      Fields("channel_handle", {{"handle", Number(instruction.Int64("channel_id"))}, {"type", Number(0)}}));
}

void AddGlobalIds(const HloInstruction& instruction, Operation& operation) {
  if (instruction.IsSet("use_global_device_ids")) Set(operation, "use_global_device_ids", {Unit()});
}

// Returns the shape of the results. The tuple of a start has the operands, the results and maybe contexts.
Shape ResultsOf(const HloInstruction& instruction) {
  const bool is_start = instruction.op->name.ends_with("-start") && instruction.op->name != "all-reduce-start";
  return is_start ? instruction.shape.tuple_shapes()[1] : instruction.shape;
}

}  // namespace

Status RaiseAllGather(const Raising& raising) {
  Operation operation = raising.Start();
  AddParticipants(raising.instruction, operation);
  AddChannel(raising.instruction, operation);
  AddGlobalIds(raising.instruction, operation);
  return raising.Finish(std::move(operation), ResultsOf(raising.instruction));
}

Status RaiseAllReduce(const Raising& raising) {
  Operation operation = raising.Start();
  AddParticipants(raising.instruction, operation);
  AddChannel(raising.instruction, operation);
  AddGlobalIds(raising.instruction, operation);
  ASSAY_CHECK_OK(raising.AddRegion(operation, "to_apply"));
  return raising.Finish(std::move(operation));
}

Status RaiseAllToAll(const Raising& raising) {
  const HloInstruction& exchange = raising.instruction;
  const auto dimensions = exchange.Int64s("dimensions");
  if (dimensions.empty()) return raising.Unsupported("StableHLO has no all_to_all with one operand for each block");
  const std::vector<Int64List> groups = GroupsOf(exchange);
  if (groups.empty()) return raising.Unsupported("StableHLO needs replica groups");
  Operation operation = raising.Start();
  Set(operation, "split_dimension", Number(dimensions[0]));
  Set(operation, "concat_dimension", Number(dimensions[0]));
  Set(operation, "split_count", Number(std::ssize(groups[0])));
  AddParticipants(exchange, operation);
  AddChannel(exchange, operation);
  return raising.Finish(std::move(operation));
}

Status RaiseCollectiveBroadcast(const Raising& raising) {
  if (raising.instruction.operands.size() > 1) return raising.Unsupported("StableHLO takes one operand");
  if (raising.instruction.IsSet("has_dynamic_root")) return raising.Unsupported("StableHLO has no dynamic root");
  Operation operation = raising.Start();
  AddParticipants(raising.instruction, operation);
  AddChannel(raising.instruction, operation);
  return raising.Finish(std::move(operation));
}

Status RaiseCollectivePermute(const Raising& raising) {
  if (raising.instruction.operands.size() > 1) return raising.Unsupported("StableHLO takes one operand");
  Operation operation = raising.Start();
  const auto* pairs = raising.instruction.Find<std::vector<Int64List>>("source_target_pairs");
  Set(operation, "source_target_pairs", RowsOf(pairs == nullptr ? std::vector<Int64List>() : *pairs, 2));
  AddChannel(raising.instruction, operation);
  return raising.Finish(std::move(operation), ResultsOf(raising.instruction));
}

Status RaiseReduceScatter(const Raising& raising) {
  if (raising.instruction.operands.size() > 1) return raising.Unsupported("StableHLO takes one operand");
  Operation operation = raising.Start();
  AddParticipants(raising.instruction, operation);
  AddChannel(raising.instruction, operation);
  AddGlobalIds(raising.instruction, operation);
  ASSAY_CHECK_OK(raising.AddRegion(operation, "to_apply"));
  return raising.Finish(std::move(operation));
}

}  // namespace assay::stablehlo
