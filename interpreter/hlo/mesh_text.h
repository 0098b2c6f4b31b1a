// Device meshes in HLO text: "mesh['x'=2,'y'=4], device_ids=([4,2]T(1,0))", and references to their axes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/hlo/attributes.h"
#include "interpreter/hlo/iota_text.h"
#include "interpreter/hlo/text_parser.h"

namespace assay {

struct Mesh {
  std::vector<std::string> axis_names;
  Int64List axis_sizes;
  Int64List devices;               // row-major over the axes; empty: 0, 1, ..., n-1
  std::optional<DeviceIota> iota;  // the same list, if written as an iota
  std::string text;                // as XLA prints it
  bool is_maximal = false;         // maximal_mesh[device_id=n]: one device

  std::int64_t Device(std::int64_t i) const { return devices.empty() ? i : devices[i]; }
};

// An axis, or a part of it: 'x' or 'x':(2)4. `before` is the product of the parts before it, `size` its own size.
struct AxisReference {
  std::int64_t axis = 0;
  std::int64_t before = 1;
  std::int64_t size = 1;
  std::string text;
  bool operator==(const AxisReference&) const = default;
};

// Returns whether the part's place and size divide an axis of `axis_size` devices. Both may be any integers of a text.
bool DividesAxis(const AxisReference& part, std::int64_t axis_size);

std::vector<AxisReference> AllAxes(const Mesh& mesh);

bool AtMesh(const TextParser& parser);
Result<Mesh> ParseMesh(TextParser& parser);
Result<AxisReference> ParseAxisReference(TextParser& parser, const Mesh& mesh);
// Returns groups of the devices that differ only along these axes, which do not overlap, ordered by the axes.
ReplicaGroups GroupsOfAxes(const Mesh& mesh, const std::vector<AxisReference>& axes);

}  // namespace assay
