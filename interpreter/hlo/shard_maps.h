// Conversion of programs that JAX has written for all devices at once, before XLA partitions them, to the program of
// each device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "interpreter/hlo/device_tiles.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"

namespace assay {

// Replaces the custom calls that have no meaning without a mesh by ordinary instructions. Every array outside of a
// shard_map is whole on each partition:
//
//   xla.sdy.GlobalToLocalShape, SPMDFullToShardShape   a slice at the position of the partition; of an unreduced value
//                                                      the first device has it, and the others zeros
//   xla.sdy.LocalToGlobalShape, SPMDShardToFullShape   an all-gather, after an all-reduce of an unreduced value
//   Sharding, xla.sdy.FuncResultSharding and the like  their operand
//
// Returns the number of partitions of the meshes; nothing if the module has none of these calls, or only calls of the
// last row. A module of one partition is changed to that number if the caller allows it. An error leaves the module
// unchanged. The module must have passed the verifier.
Result<std::optional<std::int64_t>> SpellOutShardMaps(HloModule& module, bool may_set_partitions);

// Returns the tiles that an instruction of a legal module joins to its result, or to this element of it, if it leaves a
// shard_map. Returns nothing for other instructions, and for a value that no axis shards or leaves unreduced.
std::optional<DeviceTiles> TilesOfWhole(const HloModule& module, const HloInstruction& instruction,
                                        std::int64_t element);

// Inserts the sum of the terms of a parameter, of which each partition has the one that the tiles say, whole.
Status InsertSumOfTerms(HloInstruction& parameter, const DeviceTiles& tiles);

// True for a module that declares meshes: XLA has not partitioned it, so its arrays are the same on every device.
bool HasMeshes(const HloModule& module);

}  // namespace assay
