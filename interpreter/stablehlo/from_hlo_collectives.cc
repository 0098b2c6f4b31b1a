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

// Sets the replica groups, padded with -1 to equal lengths.
void AddParticipants(const HloInstruction& instruction, Operation& operation) {
  std::vector<Int64List> groups = GroupsOf(instruction);
  std::size_t longest = 0;
  for (const Int64List& group : groups) longest = std::max(longest, group.size());
  for (Int64List& group : groups) group.resize(longest, -1);
  Set(operation, "replica_groups", RowsOf(groups, static_cast<std::int64_t>(longest)));
}

// Returns the shape of the results. The tuple of a start has the operands, the results and maybe contexts.
Shape ResultsOf(const HloInstruction& instruction) {
  const bool is_start = instruction.op->name.ends_with("-start") && instruction.op->name != "all-reduce-start";
  return is_start ? instruction.shape.tuple_shapes()[1] : instruction.shape;
}

// Sets the participants and the channel, as far as the op has them.
Status FinishCollective(const Raising& raising, Operation operation) {
  const HloInstruction& collective = raising.instruction;
  if (collective.op->FindAttribute("replica_groups") != nullptr) AddParticipants(collective, operation);
  if (collective.op->FindAttribute("source_target_pairs") != nullptr) {
    const auto* pairs = collective.Find<std::vector<Int64List>>("source_target_pairs");
    Set(operation, "source_target_pairs", RowsOf(pairs == nullptr ? std::vector<Int64List>() : *pairs, 2));
  }
  if (collective.Has("channel_id")) {
    Set(operation, "channel_handle",
        Fields("channel_handle", {{"handle", Number(collective.Int64("channel_id"))}, {"type", Number(0)}}));
  }
  if (collective.IsSet("use_global_device_ids")) Set(operation, "use_global_device_ids", {Unit()});
  return raising.Finish(std::move(operation), ResultsOf(collective));
}

}  // namespace

Status RaiseCollective(const Raising& raising) { return FinishCollective(raising, raising.Start()); }

Status RaiseCollectiveOfOne(const Raising& raising) {
  if (raising.instruction.operands.size() > 1) return raising.Unsupported("StableHLO takes one operand");
  return RaiseCollective(raising);
}

Status RaiseCollectiveBroadcast(const Raising& raising) {
  if (raising.instruction.operands.size() > 1) return raising.Unsupported("StableHLO takes one operand");
  if (raising.instruction.IsSet("has_dynamic_root")) return raising.Unsupported("StableHLO has no dynamic root");
  return RaiseCollective(raising);
}

Status RaiseAllToAll(const Raising& raising) {
  const auto dimensions = raising.instruction.Int64s("dimensions");
  if (dimensions.empty()) return raising.Unsupported("StableHLO has no all_to_all with one operand for each block");
  const std::vector<Int64List> groups = GroupsOf(raising.instruction);
  if (groups.empty()) return raising.Unsupported("StableHLO needs replica groups");
  Operation operation = raising.Start();
  Set(operation, "split_dimension", Number(dimensions[0]));
  Set(operation, "concat_dimension", Number(dimensions[0]));
  Set(operation, "split_count", Number(std::ssize(groups[0])));
  return FinishCollective(raising, std::move(operation));
}

}  // namespace assay::stablehlo
