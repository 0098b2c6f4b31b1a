#include "interpreter/hlo/device_tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "interpreter/types/index_util.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

// Assigns a tile to the device at each position of a mesh, in the mesh's order.
class TileAssignment {
 public:
  TileAssignment(Int64List counts, std::int64_t partitions) : unassigned_(partitions, -1) {
    tiles_.counts = std::move(counts);
    tiles_.tile = tiles_.copy = unassigned_;
  }

  // `term` is the number of the term of a sum, or nothing.
  Status Assign(std::int64_t device, std::int64_t tile, std::optional<std::int64_t> term) {
    if (device < 0 || device >= tiles_.partitions() || tiles_.tile[device] >= 0) {
      return Error{ErrorCode::kUnsupported, fmt::format("device {} is not one of {} partitions, or is listed twice",
                                                        device, tiles_.partitions())};
    }
    tiles_.tile[device] = tile;
    tiles_.copy[device] = seen_[tile]++;
    if (!term) return {};
    tiles_.term.resize(tiles_.tile.size());
    tiles_.term[device] = *term;
    return {};
  }

  Result<DeviceTiles> Finish() && {
    if (const auto left = std::ranges::find(tiles_.tile, -1); left != tiles_.tile.end()) {
      return Error{ErrorCode::kUnsupported,
                   fmt::format("partition {} has no tile: the mesh is smaller", left - tiles_.tile.begin())};
    }
    const auto copies = [&](const auto& tile) { return tile.second * tiles_.tile_count() == tiles_.partitions(); };
    if (!std::ranges::all_of(seen_, copies)) {
      return Error{ErrorCode::kUnsupported, "some tiles have more devices than others"};
    }
    return std::move(tiles_);
  }

 private:
  Int64List unassigned_;
  DeviceTiles tiles_;
  std::map<std::int64_t, std::int64_t> seen_;
};

// Returns the number of the devices at these coordinates along some axes, the first one major.
std::int64_t PlaceAlong(const std::vector<AxisReference>& axes, const Int64List& coordinates, const Mesh& mesh) {
  std::int64_t place = 0;
  for (const AxisReference& axis : axes) {
    const std::int64_t behind = mesh.axis_sizes[axis.axis] / (axis.before * axis.size);
    place = place * axis.size + coordinates[axis.axis] / behind % axis.size;
  }
  return place;
}

// Returns the number of the term that a copy of a tile holds; nothing without an unreduced subgroup.
std::optional<std::int64_t> TermOf(std::int64_t copy, const Int64List& sizes,
                                   const std::vector<std::string>& subgroups) {
  std::optional<std::int64_t> term;
  for (std::size_t i = sizes.size(); i-- > 0; copy /= sizes[i]) {
    if (subgroups[i] == "unreduced") term = copy % sizes[i];
  }
  return term;
}

Result<DeviceTiles> TilesByAxes(MeshSharding sharding, std::int64_t rank) {
  if (!sharding.reduction.empty() && sharding.reduction != "sum") {
    return Error{ErrorCode::kUnsupported, "unreduced must be a sum"};
  }
  if (sharding.whole == MeshSharding::kUnreduced) sharding.sets[MeshSharding::kUnreduced] = AllAxes(sharding.mesh);
  sharding.dimensions.resize(rank);
  return TilesOf(sharding, nullptr);
}

}  // namespace

Result<DeviceTiles> TilesOf(const MeshSharding& sharding, const std::set<std::string>* manual) {
  const Mesh& mesh = sharding.mesh;
  const std::int64_t partitions = Product(mesh.axis_sizes);
  const auto is_divided = [&](const AxisReference& axis) { return manual == nullptr || manual->contains(axis.text); };
  Int64List counts;
  std::int64_t tiles = 1;
  std::vector<AxisReference> axes, terms;  // from major to minor in a tile's or a term's number
  std::ranges::copy_if(sharding.sets[MeshSharding::kUnreduced], std::back_inserter(terms), is_divided);
  for (const auto& dimension : sharding.dimensions) {
    counts.push_back(1);
    for (const AxisReference& axis : dimension.axes) {
      if (!is_divided(axis)) continue;
      counts.back() *= axis.size;
      tiles *= axis.size;
      if (partitions % tiles != 0) return Error{ErrorCode::kUnsupported, "an axis shards two dimensions"};
      axes.push_back(axis);
    }
  }
  TileAssignment assignment(std::move(counts), partitions);
  for (std::int64_t place = 0; place < partitions; ++place) {
    Int64List coordinates(mesh.axis_sizes.size());
    for (std::int64_t rest = place, d = std::ssize(coordinates); d-- > 0; rest /= mesh.axis_sizes[d]) {
      coordinates[d] = rest % mesh.axis_sizes[d];
    }
    const std::int64_t tile = PlaceAlong(axes, coordinates, mesh);
    const auto term = terms.empty() ? std::nullopt : std::optional(PlaceAlong(terms, coordinates, mesh));
    ASSAY_CHECK_OK(assignment.Assign(mesh.Device(place), tile, term));
  }
  return std::move(assignment).Finish();
}

std::int64_t DeviceTiles::tile_count() const { return Product(counts); }

std::int64_t DeviceTiles::Place(std::int64_t partition, std::size_t dimension) const {
  std::int64_t rest = tile[partition];
  for (std::size_t d = counts.size(); --d > dimension;) rest /= counts[d];
  return rest % counts[dimension];
}

std::vector<Int64List> DeviceTiles::Groups() const {
  std::vector<Int64List> groups(partitions() / tile_count(), Int64List(tile_count()));
  for (std::int64_t p = 0; p < partitions(); ++p) groups[copy[p]][tile[p]] = p;
  return groups;
}

std::vector<Int64List> DeviceTiles::Sums() const {
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> seen;  // by tile and term
  std::map<std::pair<std::int64_t, std::int64_t>, Int64List> sums;     // by tile and number among the tile's sums
  const std::int64_t terms = *std::ranges::max_element(term) + 1;
  for (std::int64_t p = 0; p < partitions(); ++p) {
    Int64List& sum = sums[{tile[p], seen[{tile[p], term[p]}]++}];
    sum.resize(terms);
    sum[term[p]] = p;
  }
  std::vector<Int64List> lists;
  for (auto& [of_tile, partitions_of_sum] : sums) lists.push_back(std::move(partitions_of_sum));
  return lists;
}

std::string DeviceTiles::XlaText() const {
  const std::vector<Int64List> copies = Groups();
  Int64List sizes = counts, devices;
  if (copies.size() > 1) sizes.push_back(std::ssize(copies));
  for (std::int64_t t = 0; t < tile_count(); ++t) {
    for (const Int64List& of_copy : copies) devices.push_back(of_copy[t]);
  }
  return fmt::format("{{devices=[{}]{}{}}}", JoinText(sizes, ","), JoinText(devices, ","),
                     copies.size() > 1 ? " last_tile_dim_replicate" : "");
}

Result<DeviceTiles> XlaTiles(const HloSharding& sharding, std::int64_t rank) {
  if (sharding.by_axes) return TilesByAxes(*sharding.by_axes, rank);
  if (sharding.kind == "replicated" || sharding.kind == "manual") return DeviceTiles{Int64List(rank, 1), {}, {}, {}};
  const auto& [sizes, devices, iota] = sharding.tiles;
  if (!sharding.kind.empty() || std::ssize(sizes) != rank + std::ssize(sharding.subgroups)) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("the sharding {} does not tile {} dimensions", sharding.ToString(), rank)};
  }
  const Int64List copies(sizes.begin() + rank, sizes.end());
  TileAssignment assignment(Int64List(sizes.begin(), sizes.begin() + rank), std::ssize(devices));
  for (std::int64_t i = 0; i < std::ssize(devices); ++i) {
    const auto term = TermOf(i % Product(copies), copies, sharding.subgroups);
    ASSAY_CHECK_OK(assignment.Assign(devices[i], i / Product(copies), term));
  }
  return std::move(assignment).Finish();
}

Result<DeviceTiles> ParseXlaTiles(std::string_view sharding, std::int64_t rank) {
  ASSAY_TRY(const HloSharding parsed, ParseHloSharding(sharding));
  return XlaTiles(parsed, rank);
}

}  // namespace assay
