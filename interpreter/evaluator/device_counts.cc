#include "interpreter/evaluator/device_counts.h"

#include <fmt/format.h>

#include "interpreter/hlo/shard_maps.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/ops/common/named_devices.h"

namespace assay {

std::optional<std::string> RunOnNamedDevices(HloModule& module, bool may_set_replicas, bool may_set_partitions) {
  const auto mesh = SpellOutShardMaps(module, may_set_partitions);
  if (!mesh) return mesh.error().message;
  if (*mesh) return fmt::format("shard_maps are spelled out: run on {} partitions, each with whole arrays", **mesh);
  const NamedDevices named = DevicesNamedBy(module);
  const std::int64_t old_replicas = module.replica_count, old_partitions = module.num_partitions;
  const std::int64_t replicas = may_set_replicas && old_replicas == 1 ? named.replicas : old_replicas;
  const std::int64_t partitions = may_set_partitions && old_partitions == 1 ? named.partitions : old_partitions;
  if (replicas == old_replicas && partitions == old_partitions) return std::nullopt;
  std::int64_t devices = 0;
  if (__builtin_mul_overflow(replicas, partitions, &devices) || devices > kMostNamedDevices) {
    return fmt::format("{}, more than {}: run on {}", named.why, kMostNamedDevices, old_replicas * old_partitions);
  }
  module.replica_count = replicas;
  module.num_partitions = partitions;
  if (!FindIllegal(module).empty()) {
    module.replica_count = old_replicas;
    module.num_partitions = old_partitions;
    return fmt::format("{}, with which the module is illegal: run on {}", named.why, old_replicas * old_partitions);
  }
  if (partitions == 1) return fmt::format("{}: run on {} replicas", named.why, replicas);
  if (replicas == 1) return fmt::format("{}: run on {} partitions", named.why, partitions);
  return fmt::format("{}: run on {} replicas of {} partitions", named.why, replicas, partitions);
}

}  // namespace assay
