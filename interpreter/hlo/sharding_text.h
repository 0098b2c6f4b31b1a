// Shardings in HLO text. They do not change the result of a module: an instruction keeps its sharding as text, in the
// normal form that XLA prints.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/hlo/iota_text.h"
#include "interpreter/hlo/mesh_text.h"
#include "interpreter/hlo/text_parser.h"
#include "interpreter/types/shape.h"

namespace assay {

// An array of devices, "devices=[4,2]<=[2,4]T(1,0)".
struct DeviceArray {
  Int64List dimensions;
  Int64List devices;               // row-major
  std::optional<DeviceIota> iota;  // the same list as `devices`, if written as an iota
};

// A sharding by the axes of a mesh, "mesh['x'=2,'y'=4], [{'x'}, {?}], unreduced={'y'}".
struct MeshSharding {
  // The axes along one dimension of the array.
  struct Dimension {
    std::vector<AxisReference> axes;
    bool is_open = false;  // more axes may follow: "?"
  };
  // The axes that shard no dimension, each in the set of its name.
  enum Set : std::size_t { kReplicated, kUnreduced, kManual, kSets };
  static constexpr std::array<std::string_view, kSets> kSetNames = {"replicated", "unreduced", "manual"};

  Mesh mesh;
  std::vector<Dimension> dimensions;
  std::array<std::vector<AxisReference>, kSets> sets;
  std::optional<Set> whole;  // the set of all axes, written as its name alone
  std::string reduction;     // how unreduced values are reduced: sum, max or min; empty if the text does not say it
};

struct HloSharding {
  bool is_tuple = false;
  std::vector<HloSharding> elements;  // of a tuple
  std::optional<MeshSharding> by_axes;
  std::string kind;  // replicated, manual, unknown, unreduced, maximal; empty for tiles, a tuple and a mesh
  std::int64_t maximal_device = 0;
  DeviceArray tiles;
  std::vector<std::string> subgroups;  // the types of the last dimensions of the tiles
  std::string shard_group;             // shard_as or shard_like, behind which the text has the group's number
  std::int64_t shard_group_id = 0;
  std::vector<std::string> metadata;  // each in its braces

  std::string ToString() const;
};

// Parses a sharding. Its normal form is that of XLA.
Result<HloSharding> ParseHloSharding(TextParser& parser);
// The same for a text that ends with the sharding.
Result<HloSharding> ParseHloSharding(std::string_view text);
// Lists a device for each tile. Fails, at `location`, unless the text or the iota has as many.
Status ListDevices(DeviceArray& tiles, SourceLocation location);
// Brings a sharding into its normal form. Fails, at `location`, unless it has either a kind or tiles.
Status NormalizeSharding(HloSharding& sharding, SourceLocation location);

// Parses the sharding at the current token. Returns its normal form, the text that XLA prints.
Result<std::string> ParseSharding(TextParser& parser);

// Splits the text of a tuple's sharding, "{{replicated}, {devices=[2]<=[2]}}", into those of its elements.
std::vector<std::string> SplitShardings(std::string_view tuple);
// Repeats a sharding for each leaf of a tuple if the text has one for the whole tuple.
std::string ForEachLeaf(const std::string& sharding, const Shape& shape);
// Returns a sharding's text without its metadata.
std::string WithoutMetadata(std::string_view sharding);

}  // namespace assay
