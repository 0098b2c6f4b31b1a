// Whole arrays, and the shards of them that the partitions of a module hold (XLA, HloSharding).
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "interpreter/hlo/device_tiles.h"
#include "interpreter/types/literal.h"

namespace assay {

// Returns the shape of a shard. XLA rounds sizes up: the last shards of a dimension are padded or hold padding only.
Shape ShardShape(const Shape& whole, const DeviceTiles& tiles);

// Returns the shard of a partition, of shape `shard`, which has the sizes of ShardShape. Padding is zero. The tiles
// are those of as many partitions as there are.
Literal ShardOf(const Literal& whole, const Shape& shard, const DeviceTiles& tiles, std::int64_t partition);

// Returns the whole array of which some partitions hold the shards, each tile once.
Literal JoinShards(const Shape& whole, const DeviceTiles& tiles, std::span<const std::int64_t> partitions,
                   const std::function<const Literal&(std::int64_t partition)>& shard_of);

}  // namespace assay
