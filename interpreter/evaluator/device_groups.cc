#include "interpreter/evaluator/device_groups.h"

#include "interpreter/ops/common/collectives.h"

namespace assay {
namespace {

DevicePlace PlaceOf(const HloInstruction& instruction, DeviceId device) {
  const HloModule& module = *instruction.parent->module;
  return {device, module.replica_count, module.num_partitions};
}

}  // namespace

std::vector<DeviceId> GroupOf(const HloInstruction& collective, DeviceId device) {
  return ParticipantsOf(collective, PlaceOf(collective, device));
}

std::optional<DeviceId> SourceOf(const HloInstruction& permute, DeviceId device) {
  const auto mode =
      permute.Has("channel_id") ? CollectiveGroupMode::kCrossPartition : CollectiveGroupMode::kCrossReplica;
  for (const Int64List& pair : *permute.Find<std::vector<Int64List>>("source_target_pairs")) {
    const auto ends = DevicesInGroup(permute, "source_target_pairs", mode, pair, PlaceOf(permute, device));
    if (ends[1] == device) return ends[0];
  }
  return std::nullopt;
}

}  // namespace assay
