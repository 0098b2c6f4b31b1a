// The tiles of a sharded array, and the tile of each partition. Reads both forms in which a module says it: Shardy's
// attributes as text, "#sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>", and XLA's, "{devices=[4,1]<=[4]}".
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/hlo/mesh_text.h"
#include "interpreter/types/result.h"

namespace assay {

struct DeviceTiles {
  Int64List counts;  // tiles along each dimension
  Int64List tile;    // of each partition: the row-major number of its tile; empty for one tile on any number of them
  Int64List copy;    // of each partition: how many partitions before it, in the mesh's order, have the same tile

  std::int64_t tile_count() const;
  std::int64_t partitions() const { return static_cast<std::int64_t>(tile.size()); }
  // Returns the index of a partition's tile along a dimension, counted in tiles.
  std::int64_t Place(std::int64_t partition, std::size_t dimension) const;
  // The partitions that hold a whole array between them, in the order of their tiles: a list for each copy.
  std::vector<Int64List> Groups() const;
};

using Meshes = std::map<std::string, Mesh, std::less<>>;

// "{mesh = #sdy.mesh<["x"=2, "y"=4]>}": the value of a module's xla.sdy.meshes.
Result<Meshes> ParseSdyMeshes(std::string_view text);

// The tiles of several values over the axes that `manual_axes` ("#sdy<manual_axes{"x"}>") lists; over other axes the
// values stay whole. An error for a mesh that is not among `meshes`, and for values that are sums yet to be made.
Result<std::vector<DeviceTiles>> ParseSdyShardings(std::string_view text, std::string_view manual_axes,
                                                   const Meshes& meshes);

// The tiles of an array of this rank by an instruction's `sharding`. Replicas and subgroups are copies.
Result<DeviceTiles> ParseXlaTiles(std::string_view sharding, std::int64_t rank);

}  // namespace assay
