// Values that several devices hold: whole on each, or in tiles.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/hlo/device_tiles.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/result.h"

namespace assay::pjrt {

// A parameter or a result of a program.
struct ShardedValue {
  Shape whole;
  Shape part;            // the shape on one device
  DeviceTiles tiles;     // for each partition; one tile: every device has its own value of the whole shape
  std::string sharding;  // as written; empty if there is none

  std::string sharding_or_replicated() const { return sharding.empty() ? "{replicated}" : sharding; }
  bool is_tiled() const { return tiles.tile_count() > 1; }

  // Returns what a partition holds of the whole array: its tile. The first term of an unreduced value is the value, and
  // the others are zeros.
  Literal PartOn(std::int64_t partition, const Literal& of_whole) const;
  // Returns the whole arrays of which the partitions hold tiles: one, or of an unreduced value one for each copy of
  // DeviceTiles. Returns nothing for a value that is not tiled.
  std::vector<Literal> Join(const std::function<const Literal&(std::int64_t partition)>& part_of) const;
};

// Returns a value of this shape under a sharding; an empty one is none. Fails with kUnsupported for a sharding whose
// tiles do not have equal sizes, or are not one for each partition.
Result<ShardedValue> ShardValue(const Shape& whole, std::string_view sharding, std::int64_t partitions);

// Returns the serialized OpSharding of each value, {replicated} for one without a sharding. Returns nothing for one
// partition.
std::vector<std::string> SerializedShardings(const std::vector<ShardedValue>& values, std::int64_t partitions);

}  // namespace assay::pjrt
