// The tiles of a sharded array, and the tile of each partition. Parses both text forms: Shardy's attributes,
// "#sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>", and XLA's, "{devices=[4,1]<=[4]}".
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/hlo/sharding_text.h"
#include "interpreter/types/result.h"

namespace assay {

struct DeviceTiles {
  Int64List counts;  // tiles along each dimension
  Int64List tile;    // per partition: the row-major number of its tile; empty for one tile on any number of partitions
  Int64List copy;    // per partition: the number of partitions before it, in the mesh's order, with the same tile
  Int64List term;    // per partition: which term of a sum it holds (an unreduced value); empty for a value itself

  std::int64_t tile_count() const;
  std::int64_t partitions() const { return static_cast<std::int64_t>(tile.size()); }
  bool is_sum() const { return !term.empty(); }
  // Returns the index of a partition's tile along a dimension, in tiles.
  std::int64_t Place(std::int64_t partition, std::size_t dimension) const;
  // Returns, for each copy of the array, the partitions that hold it, in the order of their tiles.
  std::vector<Int64List> Groups() const;
  // Returns, for each tile and each copy of a sum, the partitions that hold its terms, in the terms' order.
  std::vector<Int64List> Sums() const;
  // Returns the sharding of a value, not of a sum, as XLA's text: "{devices=[2,1,2]0,1,2,3 last_tile_dim_replicate}".
  std::string XlaText() const;
};

using Meshes = std::map<std::string, Mesh, std::less<>>;

// Parses `{mesh = #sdy.mesh<["x"=2, "y"=4]>}`, the value of a module's xla.sdy.meshes.
Result<Meshes> ParseSdyMeshes(std::string_view text);

// Returns the tiles of several values over the axes in `manual_axes` (`#sdy<manual_axes{"x"}>`); other axes do not
// split the values. Fails for a mesh that is not in `meshes`, and for an unreduced minimum or maximum.
Result<std::vector<DeviceTiles>> ParseSdyShardings(std::string_view text, std::string_view manual_axes,
                                                   const Meshes& meshes);

// Returns the tiles of an array of this rank under an instruction's sharding. Replicas and subgroups are copies.
Result<DeviceTiles> XlaTiles(const HloSharding& sharding, std::int64_t rank);
Result<DeviceTiles> ParseXlaTiles(std::string_view sharding, std::int64_t rank);

// Returns the tiles over the axes in `manual`, or over all axes if that is null.
Result<DeviceTiles> TilesOf(const MeshSharding& sharding, const std::set<std::string>* manual);

}  // namespace assay
