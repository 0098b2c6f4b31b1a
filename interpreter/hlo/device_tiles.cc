#include "interpreter/hlo/device_tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <set>
#include <utility>

#include "interpreter/hlo/iota_text.h"

namespace assay {
namespace {

std::int64_t Product(const Int64List& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

// A cursor over the text of an MLIR attribute.
class SdyText {
 public:
  explicit SdyText(std::string_view text) : rest_(text) {}

  bool Eat(std::string_view what) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n"), rest_.size()));
    if (!rest_.starts_with(what)) return false;
    rest_.remove_prefix(what.size());
    return true;
  }
  Status Expect(std::string_view what) { return Eat(what) ? Status() : Expected(what); }
  Error Expected(std::string_view what) const {
    return {ErrorCode::kUnsupported, fmt::format("cannot read Shardy's text: expected {} at '{}'", what, rest_)};
  }

  Result<std::int64_t> Integer() {
    Eat("");
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) return Expected("an integer");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }
  Result<std::string> Quoted() {
    ASSAY_CHECK_OK(Expect("\""));
    return UpTo("\"");
  }
  // Consumes and returns the characters before one of `ends`; consumes a quote too.
  Result<std::string> UpTo(std::string_view ends) {
    const std::size_t end = rest_.find_first_of(ends);
    if (end == std::string_view::npos) return Expected(ends);
    std::string found(rest_.substr(0, end));
    rest_.remove_prefix(rest_[end] == '"' ? end + 1 : end);
    return found;
  }

  template <class Item>
  Status List(std::string_view open, std::string_view close, Item item) {
    ASSAY_CHECK_OK(Expect(open));
    if (Eat(close)) return {};
    do {
      ASSAY_CHECK_OK(item());
    } while (Eat(","));
    return Expect(close);
  }

 private:
  std::string_view rest_;
};

// Parses `<["x"=2, "y"=4], device_ids=[...]>`.
Result<Mesh> ParseSdyMesh(SdyText& text) {
  Mesh mesh;
  ASSAY_CHECK_OK(text.Expect("<"));
  ASSAY_CHECK_OK(text.List("[", "]", [&]() -> Status {
    ASSAY_TRY(std::string name, text.Quoted());
    ASSAY_CHECK_OK(text.Expect("="));
    ASSAY_TRY(const std::int64_t size, text.Integer());
    mesh.axis_names.push_back(std::move(name));
    mesh.axis_sizes.push_back(size);
    return {};
  }));
  if (text.Eat(",")) {
    ASSAY_CHECK_OK(text.Expect("device_ids"));
    ASSAY_CHECK_OK(text.Expect("="));
    ASSAY_CHECK_OK(text.List("[", "]", [&]() -> Status {
      ASSAY_TRY(const std::int64_t device, text.Integer());
      mesh.devices.push_back(device);
      return {};
    }));
  }
  ASSAY_CHECK_OK(text.Expect(">"));
  ASSAY_TRY(const std::int64_t count, DeviceCount(mesh.axis_sizes, {}));
  if (!mesh.devices.empty() && static_cast<std::int64_t>(mesh.devices.size()) != count) {
    return text.Expected(fmt::format("{} device_ids before", count));
  }
  return mesh;
}

// Parses `"x"` or `"x":(1)2`.
Result<AxisReference> ParseSdyAxis(SdyText& text, const Mesh& mesh) {
  ASSAY_TRY(const std::string name, text.Quoted());
  const auto found = std::ranges::find(mesh.axis_names, name);
  if (found == mesh.axis_names.end()) return text.Expected("an axis of the mesh instead of " + name);
  const std::int64_t axis = found - mesh.axis_names.begin();
  AxisReference reference = {axis, 1, mesh.axis_sizes[axis], name};
  if (text.Eat(":(")) {
    ASSAY_TRY(reference.before, text.Integer());
    ASSAY_CHECK_OK(text.Expect(")"));
    ASSAY_TRY(reference.size, text.Integer());
    if (!DividesAxis(reference, mesh.axis_sizes[axis])) {
      return text.Expected("a part of the axis before");
    }
  }
  return reference;
}

// The sharding of a value: the axes along each dimension.
struct SdySharding {
  Mesh mesh;
  std::vector<std::vector<AxisReference>> dimensions;
};

// Parses `[{"x", ?}p0, {}]`.
Status ParseSdyDimensions(SdyText& text, SdySharding& sharding) {
  return text.List("[", "]", [&]() -> Status {
    std::vector<AxisReference>& axes = sharding.dimensions.emplace_back();
    ASSAY_CHECK_OK(text.List("{", "}", [&]() -> Status {
      if (text.Eat("?")) return {};
      ASSAY_TRY(AxisReference axis, ParseSdyAxis(text, sharding.mesh));
      axes.push_back(std::move(axis));
      return {};
    }));
    if (text.Eat("p")) ASSAY_CHECK_OK(text.Integer());
    return {};
  });
}

Error Unreduced() {
  return {ErrorCode::kUnsupported, "a value is unreduced: a sum over devices that is yet to be made"};
}

// Parses `<@mesh, [...], replicated={...}>`; the mesh itself may replace its name.
Result<SdySharding> ParseSdySharding(SdyText& text, const Meshes& meshes) {
  SdySharding sharding;
  ASSAY_CHECK_OK(text.Expect("<"));
  if (text.Eat("mesh")) {
    ASSAY_TRY(sharding.mesh, ParseSdyMesh(text));
  } else {
    ASSAY_CHECK_OK(text.Expect("@"));
    ASSAY_TRY(const std::string name, text.UpTo(",> "));
    const auto mesh = meshes.find(name);
    if (mesh == meshes.end()) {
      return Error{
          ErrorCode::kUnsupported,
          fmt::format("the mesh @{} is lost: the module's frontend_attributes have no xla.sdy.meshes with it", name)};
    }
    sharding.mesh = mesh->second;
  }
  ASSAY_CHECK_OK(text.Expect(","));
  ASSAY_CHECK_OK(ParseSdyDimensions(text, sharding));
  while (text.Eat(",")) {
    if (!text.Eat("replicated")) {
      return Unreduced();
    }
    ASSAY_CHECK_OK(text.Expect("="));
    ASSAY_CHECK_OK(text.List("{", "}", [&]() -> Status {
      ASSAY_CHECK_OK(ParseSdyAxis(text, sharding.mesh));
      return {};
    }));
  }
  ASSAY_CHECK_OK(text.Expect(">"));
  return sharding;
}

// Assigns a tile to the device at each position of a mesh, in the mesh's order.
class TileAssignment {
 public:
  TileAssignment(Int64List counts, std::int64_t partitions) : unassigned_(partitions, -1) {
    tiles_.counts = std::move(counts);
    tiles_.tile = tiles_.copy = unassigned_;
  }

  Status Assign(std::int64_t device, std::int64_t tile) {
    if (device < 0 || device >= tiles_.partitions() || tiles_.tile[device] >= 0) {
      return Error{ErrorCode::kUnsupported, fmt::format("device {} is not one of {} partitions, or is listed twice",
                                                        device, tiles_.partitions())};
    }
    tiles_.tile[device] = tile;
    tiles_.copy[device] = seen_[tile]++;
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

// Returns the tiles over the axes in `manual`, or over all axes if that is null.
Result<DeviceTiles> TilesOf(const SdySharding& sharding, const std::set<std::string>* manual) {
  const Mesh& mesh = sharding.mesh;
  const std::int64_t partitions = Product(mesh.axis_sizes);
  Int64List counts;
  std::int64_t tiles = 1;
  std::vector<AxisReference> axes;  // from major to minor in a tile's number
  for (const auto& dimension : sharding.dimensions) {
    counts.push_back(1);
    for (const AxisReference& axis : dimension) {
      if (manual != nullptr && !manual->contains(axis.text)) continue;
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
    std::int64_t tile = 0;
    for (const AxisReference& axis : axes) {
      const std::int64_t behind = mesh.axis_sizes[axis.axis] / (axis.before * axis.size);
      tile = tile * axis.size + coordinates[axis.axis] / behind % axis.size;
    }
    ASSAY_CHECK_OK(assignment.Assign(mesh.Device(place), tile));
  }
  return std::move(assignment).Finish();
}

// Parses XLA's form by mesh axes, from after its "{": `mesh['x'=2,'y'=4], [{'x'}, {}]`.
Result<DeviceTiles> ParseMeshTiles(TextParser& parser, std::int64_t rank) {
  SdySharding sharding;
  ASSAY_TRY(sharding.mesh, ParseMesh(parser));
  parser.Eat(",");
  if (parser.At("[")) {
    ASSAY_CHECK_OK(parser.ParseList("[", "]", [&]() -> Status {
      std::vector<AxisReference>& axes = sharding.dimensions.emplace_back();
      return parser.ParseList("{", "}", [&]() -> Status {
        if (parser.Eat("?")) return {};
        ASSAY_TRY(AxisReference axis, ParseAxisReference(parser, sharding.mesh));
        axes.push_back(std::move(axis));
        return {};
      });
    }));
  }
  sharding.dimensions.resize(rank);
  return TilesOf(sharding, nullptr);
}

}  // namespace

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

Result<Meshes> ParseSdyMeshes(std::string_view attribute) {
  SdyText text(attribute);
  Meshes meshes;
  ASSAY_CHECK_OK(text.List("{", "}", [&]() -> Status {
    text.Eat("");
    ASSAY_TRY(const std::string name, text.UpTo(" ="));
    ASSAY_CHECK_OK(text.Expect("="));
    ASSAY_CHECK_OK(text.Expect("#sdy.mesh"));
    ASSAY_TRY(meshes[name], ParseSdyMesh(text));
    return {};
  }));
  return meshes;
}

Result<std::vector<DeviceTiles>> ParseSdyShardings(std::string_view attribute, std::string_view manual_axes,
                                                   const Meshes& meshes) {
  std::set<std::string> manual;
  SdyText axes(manual_axes);
  ASSAY_CHECK_OK(axes.Expect("#sdy<manual_axes"));
  ASSAY_CHECK_OK(axes.List("{", "}", [&]() -> Status {
    ASSAY_TRY(std::string name, axes.Quoted());
    manual.insert(std::move(name));
    return {};
  }));
  SdyText text(attribute);
  std::vector<DeviceTiles> all;
  ASSAY_CHECK_OK(text.Expect("#sdy.sharding_per_value<"));
  ASSAY_CHECK_OK(text.List("[", "]", [&]() -> Status {
    ASSAY_TRY(const SdySharding sharding, ParseSdySharding(text, meshes));
    ASSAY_TRY(DeviceTiles tiles, TilesOf(sharding, &manual));
    all.push_back(std::move(tiles));
    return {};
  }));
  return all;
}

Result<DeviceTiles> ParseXlaTiles(std::string_view sharding, std::int64_t rank) {
  TextParser parser(sharding);
  ASSAY_CHECK_OK(parser.Expect("{"));
  Int64List sizes(rank, 1), devices;
  if (sharding.find("unreduced") != std::string_view::npos) {
    return Unreduced();
  }
  if (AtMesh(parser)) return ParseMeshTiles(parser, rank);
  if (parser.EatAttributeName("devices")) {
    ASSAY_TRY(sizes, parser.ParseIntegers("[", "]"));
    if (parser.Eat("<=")) {
      ASSAY_TRY(const DeviceIota iota, ParseDeviceIota(parser));
      devices = iota.Devices();
    } else {
      do {
        ASSAY_TRY(const std::int64_t device, parser.ParseInteger());
        devices.push_back(device);
      } while (parser.Eat(","));
    }
  } else if (parser.AtKeyword("replicated") || parser.AtKeyword("manual")) {
    return DeviceTiles{sizes, {}, {}};
  }
  const bool has_copies = sharding.find("last_tile_dim") != std::string_view::npos;
  if (std::ssize(sizes) < rank || (std::ssize(sizes) > rank && !has_copies) || devices.empty()) {
    return Error{ErrorCode::kUnsupported, fmt::format("the sharding {} does not tile {} dimensions", sharding, rank)};
  }
  sizes.resize(rank);
  const std::int64_t copies = std::ssize(devices) / Product(sizes);
  TileAssignment assignment(sizes, std::ssize(devices));
  for (std::int64_t i = 0; i < std::ssize(devices); ++i) ASSAY_CHECK_OK(assignment.Assign(devices[i], i / copies));
  return std::move(assignment).Finish();
}

}  // namespace assay
