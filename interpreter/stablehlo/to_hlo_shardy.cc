// XLA's form of Shardy's meshes and shardings.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "interpreter/hlo/iota_text.h"
#include "interpreter/hlo/mesh_text.h"
#include "interpreter/hlo/sharding_text.h"
#include "interpreter/hlo/text_parser.h"
#include "interpreter/stablehlo/programs.h"
#include "interpreter/stablehlo/shardy_attributes.h"
#include "interpreter/stablehlo/to_hlo_shardings.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/join_text.h"

namespace assay::stablehlo {
namespace {

constexpr std::int64_t kMostDevices = 1 << 20;

Result<Mesh> MeshOf(const Operation& operation, const Dictionary& fields) {
  Mesh mesh;
  std::int64_t count = 1;
  for (const Attribute& item : ListOf(fields, "axes")) {
    const Dictionary& axis = FieldsOf(&item);
    const std::int64_t size = NumberOf(axis, "size", 0);
    mesh.axis_names.push_back(NameOf(axis));
    mesh.axis_sizes.push_back(size);
    if (size <= 0 || size > kMostDevices || (count *= size) > kMostDevices) {
      return IllegalAt(operation, fmt::format("a mesh must have 1 to {} devices", kMostDevices));
    }
  }
  const Attribute* devices = fields.Find("device_ids");
  if (const std::optional<Int64List> ids = devices == nullptr ? std::nullopt : IntegersOf(*devices))
    mesh.devices = *ids;
  const bool is_one = mesh.axis_names.empty() && mesh.devices.size() == 1;
  if (!mesh.devices.empty() && !is_one && std::ssize(mesh.devices) != count) {
    return IllegalAt(operation,
                     fmt::format("a mesh of {} devices must list as many, found {}", count, mesh.devices.size()));
  }
  return mesh;
}

// A program without Shardy's dialect has its own attribute on the operation.
const Attribute* MeshAttribute(const Operation& operation) {
  const Attribute* mesh = operation.attributes.Find("mesh");
  return mesh == nullptr ? operation.attributes.Find("stablehlo.mesh") : mesh;
}

Result<Mesh> FindMesh(const Program& program, const Operation& operation, const Attribute* mesh) {
  const auto* symbol = mesh == nullptr ? nullptr : mesh->As<SymbolReference>();
  if (symbol == nullptr) return MeshOf(operation, FieldsOf(mesh));
  for (const Operation& candidate : OperationsOf(program)) {
    if (candidate.name != "sdy.mesh") continue;
    ASSAY_TRY(const std::string name, AttributeReader(candidate).String("sym_name"));
    if (std::string_view(name) == symbol->name) return MeshOf(operation, FieldsOf(MeshAttribute(candidate)));
  }
  return IllegalAt(operation, fmt::format("there is no mesh @{}", symbol->name));
}

Result<AxisReference> PartOf(const Operation& operation, const Mesh& mesh, const Attribute& attribute) {
  const Dictionary& fields = FieldsOf(&attribute);
  const std::string name = NameOf(fields);
  const auto found = std::ranges::find(mesh.axis_names, name);
  if (found == mesh.axis_names.end()) return IllegalAt(operation, fmt::format("the mesh has no axis \"{}\"", name));
  const std::int64_t axis = found - mesh.axis_names.begin(), size = mesh.axis_sizes[axis];
  AxisReference part = {axis, 1, size, name};
  // StableHLO has the sizes of a part in an attribute of their own, Shardy among the axis' fields.
  const Attribute* sub_axis = fields.Find("sub_axis_info");
  const Dictionary& sizes = sub_axis == nullptr ? fields : FieldsOf(sub_axis);
  if (sizes.Find("pre_size") == nullptr) return part;
  part.before = NumberOf(sizes, "pre_size", 1);
  part.size = NumberOf(sizes, "size", 1);
  if (DividesAxis(part, size)) return part;
  return IllegalAt(
      operation, fmt::format("\"{}\":({}){} is not a part of an axis of size {}", name, part.before, part.size, size));
}

// Returns the axes of a mesh in order, split at the begin and end of each part.
std::vector<AxisReference> CutAxes(const Mesh& mesh, const std::vector<AxisReference>& used) {
  std::vector<AxisReference> parts;
  for (std::int64_t axis = 0; axis < std::ssize(mesh.axis_names); ++axis) {
    const std::string& name = mesh.axis_names[axis];
    std::set<std::int64_t> cuts = {1, mesh.axis_sizes[axis]};
    for (const AxisReference& part : used) {
      if (part.axis == axis) cuts.insert({part.before, part.before * part.size});
    }
    for (auto cut = cuts.begin(); std::next(cut) != cuts.end(); ++cut) {
      parts.push_back({axis, *cut, *std::next(cut) / *cut, name});
    }
    if (cuts.size() == 1) parts.push_back({axis, 1, 1, name});
  }
  return parts;
}

// Returns the text of tiles over parts of axes: `order` has the parts in the order of the tiles' dimensions.
std::string TilesText(const Mesh& mesh, const std::vector<AxisReference>& parts,
                      const std::vector<AxisReference>& order, const Int64List& tiles,
                      const std::vector<std::string>& subgroups) {
  Int64List sizes, permutation;
  for (const AxisReference& part : parts) sizes.push_back(part.size);
  for (const AxisReference& part : order) permutation.push_back(std::ranges::find(parts, part) - parts.begin());
  const DeviceIota iota(sizes, permutation);
  std::string devices = "<=" + iota.ToString();
  if (!mesh.devices.empty()) {
    Int64List listed = iota.Devices();
    for (std::int64_t& device : listed) device = mesh.devices[device];
    devices = JoinText(listed, ",");
  }
  const std::string last = subgroups.empty() ? "" : fmt::format(" last_tile_dims={{{}}}", JoinText(subgroups, ", "));
  return fmt::format("{{devices=[{}]{}{}}}", JoinText(tiles, ","), devices, last);
}

}  // namespace

std::string MeshesText(const Program& program) {
  std::map<std::string, std::string> meshes;
  for (const Operation& operation : OperationsOf(program)) {
    const std::string name = StringOf(operation, "sym_name");
    if (operation.name != "sdy.mesh" || name.empty()) continue;
    meshes[name] = "#sdy.mesh" + MeshText(FieldsOf(MeshAttribute(operation)));
  }
  std::vector<std::string> texts;
  for (const auto& [name, text] : meshes) texts.push_back(fmt::format("{} = {}", name, text));
  return texts.empty() ? "" : fmt::format("{{{}}}", JoinText(texts, ", "));
}

namespace {

// Checks that no two of the axes in use share devices.
Status CheckUsedOnce(const Operation& operation, const std::vector<AxisReference>& parts,
                     const std::vector<AxisReference>& used) {
  for (const AxisReference& part : used) {
    const bool is_used_once = std::ranges::count(used, part) == 1 && std::ranges::find(parts, part) != parts.end();
    if (!is_used_once) return IllegalAt(operation, fmt::format("axis \"{}\" is used twice", part.text));
  }
  return {};
}

// Appends the parts of the mesh that are not in use, and returns the number of their devices.
std::int64_t AddReplicated(const std::vector<AxisReference>& parts, std::vector<AxisReference>& order) {
  std::int64_t replicated = 1;
  const std::vector<AxisReference> sharded = order;
  for (const AxisReference& part : parts) {
    if (std::ranges::find(sharded, part) != sharded.end()) continue;
    replicated *= part.size;
    order.push_back(part);
  }
  return replicated;
}

}  // namespace

Result<std::string> XlaShardingOf(const Program& program, const Operation& operation,
                                  const DialectAttribute& sharding) {
  ASSAY_TRY(const Mesh mesh, FindMesh(program, operation, sharding.fields.Find("mesh_or_ref")));
  if (mesh.axis_names.empty() && !mesh.devices.empty()) return fmt::format("{{maximal device={}}}", mesh.devices[0]);
  if (Product(mesh.axis_sizes) == 1) return std::string("{replicated}");
  std::vector<AxisReference> order;
  Int64List tiles;
  const auto add = [&](const std::vector<Attribute>& axes) -> Status {
    tiles.push_back(1);
    for (const Attribute& axis : axes) {
      ASSAY_TRY(AxisReference part, PartOf(operation, mesh, axis));
      tiles.back() *= part.size;
      order.push_back(std::move(part));
    }
    return {};
  };
  for (const Attribute& dimension : ListOf(sharding.fields, "dim_shardings")) {
    ASSAY_CHECK_OK(add(ListOf(FieldsOf(&dimension), "axes")));
  }
  std::vector<std::string> subgroups;
  if (const std::vector<Attribute>& unreduced = ListOf(sharding.fields, "unreduced_axes"); !unreduced.empty()) {
    ASSAY_CHECK_OK(add(unreduced));
    subgroups.emplace_back("unreduced");
  }
  const std::vector<AxisReference> parts = CutAxes(mesh, order);
  ASSAY_CHECK_OK(CheckUsedOnce(operation, parts, order));
  if (const std::int64_t replicated = AddReplicated(parts, order); replicated > 1) {
    tiles.push_back(replicated);
    subgroups.emplace_back("replicated");
  }
  const std::string text = TilesText(mesh, parts, order, tiles, subgroups);
  assay::TextParser parser(text);
  Result<std::string> normal = ParseSharding(parser);
  if (!normal) return IllegalAt(operation, fmt::format("{}: {}", text, normal.error().message));
  return normal;
}

Result<std::vector<Int64List>> MeshAxesGroups(const Program& program, const Operation& operation,
                                              const Attribute& groups) {
  const Dictionary& fields = FieldsOf(&groups);
  ASSAY_TRY(const Mesh mesh, FindMesh(program, operation, fields.Find("mesh")));
  std::vector<AxisReference> met;
  for (const Attribute& axis : ListOf(fields, "axes")) {
    ASSAY_TRY(met.emplace_back(), PartOf(operation, mesh, axis));
  }
  ASSAY_CHECK_OK(CheckUsedOnce(operation, CutAxes(mesh, met), met));
  return GroupsOfAxes(mesh, met).groups;
}

}  // namespace assay::stablehlo
