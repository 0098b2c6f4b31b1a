// Shardy's attributes: meshes and the shardings of values.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "interpreter/hlo/device_tiles.h"

namespace assay {
namespace {

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
      ASSAY_TRY(mesh.devices.emplace_back(), text.Integer());
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

// Parses `[{"x", ?}p0, {}]`.
Status ParseSdyDimensions(SdyText& text, MeshSharding& sharding) {
  return text.List("[", "]", [&]() -> Status {
    std::vector<AxisReference>& axes = sharding.dimensions.emplace_back().axes;
    ASSAY_CHECK_OK(text.List("{", "}", [&]() -> Status {
      if (text.Eat("?")) return {};
      ASSAY_TRY(axes.emplace_back(), ParseSdyAxis(text, sharding.mesh));
      return {};
    }));
    if (text.Eat("p")) ASSAY_CHECK_OK(text.Integer());
    return {};
  });
}

// Parses `<@mesh, [...], replicated={...}, unreduced={...}>`; the mesh itself may replace its name.
Result<MeshSharding> ParseSdySharding(SdyText& text, const Meshes& meshes) {
  MeshSharding sharding;
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
    const bool is_unreduced = text.Eat("unreduced");
    if (!is_unreduced) ASSAY_CHECK_OK(text.Expect("replicated"));
    ASSAY_CHECK_OK(text.Expect("="));
    ASSAY_CHECK_OK(text.List("{", "}", [&]() -> Status {
      ASSAY_TRY(AxisReference axis, ParseSdyAxis(text, sharding.mesh));
      if (is_unreduced) sharding.sets[MeshSharding::kUnreduced].push_back(std::move(axis));
      return {};
    }));
  }
  ASSAY_CHECK_OK(text.Expect(">"));
  return sharding;
}

}  // namespace

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
    ASSAY_TRY(const MeshSharding sharding, ParseSdySharding(text, meshes));
    ASSAY_TRY(all.emplace_back(), TilesOf(sharding, &manual));
    return {};
  }));
  return all;
}

}  // namespace assay
