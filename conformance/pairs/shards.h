// Arrays that the partitions of a module hold, by their annotations: whole or in shards (interpreter/hlo/shards.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/hlo/device_tiles.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/result.h"

namespace assay {

// The sharding of one array.
struct Sharding {
  DeviceTiles tiles;                        // no tiles for partitions: every partition holds the whole array
  std::optional<std::int64_t> only_device;  // maximal: the one partition that holds the array

  bool is_replicated() const { return tiles.tile.empty() && !only_device; }
};

// Reads the text of an annotation for one array: tiles, replicated, or maximal. Fails with kUnsupported for others.
Result<Sharding> ReadSharding(std::string_view text, std::int64_t rank);

// Returns the texts for the leaves of a value from the text for all of it: "{{replicated}, {devices=[2]<=[2]}}", or one
// sharding for every leaf. Empty if the numbers differ.
std::vector<std::string> ShardingsOfLeaves(std::string_view text, std::size_t leaf_count);

// Returns the shard of a partition. Padding is zero.
Literal ShardOf(const Literal& whole, const Sharding& sharding, std::int64_t partition);

// A copy of a whole array, put together from the shards of some partitions.
struct GatheredCopy {
  Literal whole;
  std::vector<std::int64_t> partitions;  // that hold the shards
};
// Returns all copies of an array that the partitions hold; they should be equal. The sharding has tiles for as many
// partitions as there are shards, and the shards have its shape.
std::vector<GatheredCopy> Gather(const Shape& whole, const Sharding& sharding, const PerDevice<Literal>& shards);

}  // namespace assay
