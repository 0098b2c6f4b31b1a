// A sharding by the axes of a mesh, which both text forms of device_tiles.h have.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "interpreter/hlo/device_tiles.h"
#include "interpreter/hlo/mesh_text.h"

namespace assay {

struct MeshSharding {
  Mesh mesh;
  std::vector<std::vector<AxisReference>> dimensions;  // the axes along each
  std::vector<AxisReference> unreduced;                // along which devices hold the terms of a sum
};

// Returns the tiles over the axes in `manual`, or over all axes if that is null.
Result<DeviceTiles> TilesOf(const MeshSharding& sharding, const std::set<std::string>* manual);

}  // namespace assay
