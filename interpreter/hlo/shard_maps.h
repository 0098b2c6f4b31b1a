// Programs that JAX has written for all devices at once, before XLA partitions them, as the program of each device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"

namespace assay {

// The custom calls that mean nothing without a mesh become ordinary instructions, and every array outside of a
// shard_map is whole on each partition:
//
//   xla.sdy.GlobalToLocalShape, SPMDFullToShardShape   a slice at the place of the partition
//   xla.sdy.LocalToGlobalShape, SPMDShardToFullShape   an all-gather
//   Sharding, xla.sdy.FuncResultSharding and the like  their operand
//
// Returns the number of partitions that the meshes have; nothing where the module has none of these calls, or only some
// of the last row. A module that says one partition gets as many, if the caller allows it. After an error the module is
// as it was. The module must have passed the verifier.
Result<std::optional<std::int64_t>> SpellOutShardMaps(HloModule& module, bool may_set_partitions);

// True for a module that names its meshes: XLA has not partitioned it, so its arrays are the same on every device.
bool HasMeshes(const HloModule& module);

}  // namespace assay
