// Passes values between the entries of two modules that compute the same function: BEFORE a change, and AFTER it.
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

// The results of AFTER in the form of BEFORE's.
struct BridgedResults {
  // The results of BEFORE's devices. If AFTER has as many, each device has the copies to which it contributes.
  // Otherwise there are several if copies of an array that AFTER's partitions hold differ: the first has the first copy
  // of each array, the second the second one, and so on.
  std::vector<PerDevice<Literal>> versions;
  std::string note;  // the copies that differ; empty: none
};

// The arrays of the parameters, in order and through tuples, are those of the other module, and so are the results.
// Layouts, donated arguments and the nesting of tuples do not count. An array of AFTER may be a shard of BEFORE's: by
// the annotation `sharding` of AFTER's parameter, or BEFORE's, and of BEFORE's root or its operands, or AFTER's.
class EntryBridge {
 public:
  // Fails with kInput if the numbers, element types or sizes of the arrays differ and no sharding explains it. BEFORE
  // also holds whole arrays if its partitions exchange nothing and those of AFTER do. If all devices of BEFORE hold
  // whole arrays and none depends on its number, BEFORE gets a single device, which returns the same. Both modules must
  // outlive the bridge.
  static Result<EntryBridge> Make(HloModule& before, const HloModule& after);

  // True if every device of BEFORE holds whole arrays, and AFTER's devices hold shards or copies of them.
  bool is_whole() const { return is_whole_; }

  // Returns the arguments of AFTER's devices. Fails with kInput if the devices of BEFORE have different arguments
  // although each should have the whole arrays.
  Result<DeviceValues> ArgumentsOfAfter(const DeviceValues& of_before) const;
  BridgedResults ResultsOfBefore(const PerDevice<Literal>& of_after) const;

 private:
  EntryBridge(const HloModule& before, const HloModule& after) : before_(&before), after_(&after) {}

  // Returns the copies of each array of the result from the arrays of AFTER's devices.
  std::vector<std::vector<GatheredCopy>> CopiesOfLeaves(const std::vector<std::vector<Literal>>& leaves) const;

  const HloModule* before_;
  const HloModule* after_;
  bool is_whole_ = false;
  std::vector<Sharding> parameters_, results_;  // of each leaf, for is_whole_
};

}  // namespace assay
