// XLA's form of Shardy's meshes and shardings.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "interpreter/hlo/sharding_text.h"
#include "interpreter/hlo/text_parser.h"
#include "interpreter/stablehlo/shardy_attributes.h"
#include "interpreter/stablehlo/to_hlo_shardings.h"
#include "interpreter/types/join_text.h"

namespace assay::stablehlo {
namespace {

// An axis of a mesh, or a part of it: `size` devices, with `before` as the product of the preceding parts' sizes.
struct AxisPart {
  std::string name;
  std::int64_t before = 1, size = 1;
  auto operator<=>(const AxisPart&) const = default;
};

struct ShardyMesh {
  std::vector<AxisPart> axes;  // in order, whole
  Int64List devices;           // empty: in order

  const AxisPart* Find(std::string_view name) const {
    const auto found = std::ranges::find(axes, name, &AxisPart::name);
    return found == axes.end() ? nullptr : &*found;
  }
  std::int64_t device_count() const {
    std::int64_t count = 1;
    for (const AxisPart& axis : axes) count *= axis.size;
    return count;
  }
};

constexpr std::int64_t kMostDevices = 1 << 20;

Result<ShardyMesh> MeshOf(const Operation& operation, const Dictionary& fields) {
  ShardyMesh mesh;
  std::int64_t count = 1;
  for (const Attribute& item : ListOf(fields, "axes")) {
    const Dictionary& axis = FieldsOf(&item);
    mesh.axes.push_back({NameOf(axis), 1, NumberOf(axis, "size", 0)});
    const std::int64_t size = mesh.axes.back().size;
    if (size <= 0 || size > kMostDevices || (count *= size) > kMostDevices) {
      return IllegalAt(operation, fmt::format("a mesh must have 1 to {} devices", kMostDevices));
    }
  }
  const Attribute* devices = fields.Find("device_ids");
  if (const std::optional<Int64List> ids = devices == nullptr ? std::nullopt : IntegersOf(*devices))
    mesh.devices = *ids;
  const bool is_one = mesh.axes.empty() && mesh.devices.size() == 1;
  if (!mesh.devices.empty() && !is_one && std::ssize(mesh.devices) != count) {
    return IllegalAt(operation,
                     fmt::format("a mesh of {} devices must list as many, found {}", count, mesh.devices.size()));
  }
  return mesh;
}

const std::vector<Operation>& TopLevel(const Program& program) {
  static const std::vector<Operation> none;
  const auto& regions = program.module.regions;
  return regions.empty() || regions[0].blocks.empty() ? none : regions[0].blocks[0].operations;
}

Result<ShardyMesh> FindMesh(const Program& program, const Operation& operation, const Attribute* mesh) {
  const auto* symbol = mesh == nullptr ? nullptr : mesh->As<SymbolReference>();
  if (symbol == nullptr) return MeshOf(operation, FieldsOf(mesh));
  for (const Operation& candidate : TopLevel(program)) {
    if (candidate.name != "sdy.mesh") continue;
    ASSAY_TRY(const std::string name, AttributeReader(candidate).String("sym_name"));
    if (std::string_view(name) == symbol->name) return MeshOf(operation, FieldsOf(candidate.attributes.Find("mesh")));
  }
  return IllegalAt(operation, fmt::format("there is no mesh @{}", symbol->name));
}

Result<AxisPart> PartOf(const Operation& operation, const ShardyMesh& mesh, const Attribute& attribute) {
  const Dictionary& fields = FieldsOf(&attribute);
  const AxisPart* axis = mesh.Find(NameOf(fields));
  if (axis == nullptr) return IllegalAt(operation, fmt::format("the mesh has no axis \"{}\"", NameOf(fields)));
  AxisPart part = *axis;
  if (fields.Find("pre_size") != nullptr) {
    part.before = NumberOf(fields, "pre_size", 1);
    part.size = NumberOf(fields, "size", 1);
    const bool fits = part.before > 0 && part.size > 0 && part.before <= axis->size && part.size <= axis->size &&
                      axis->size % (part.before * part.size) == 0;
    if (!fits)
      return IllegalAt(operation, fmt::format("{} is not a part of an axis of size {}", AxisText(fields), axis->size));
  }
  return part;
}

// Returns the axes of a mesh in order, split at the begin and end of each part.
std::vector<AxisPart> CutAxes(const ShardyMesh& mesh, const std::vector<AxisPart>& used) {
  std::vector<AxisPart> parts;
  for (const AxisPart& axis : mesh.axes) {
    std::set<std::int64_t> cuts = {1, axis.size};
    for (const AxisPart& part : used) {
      if (part.name == axis.name) cuts.insert({part.before, part.before * part.size});
    }
    for (auto cut = cuts.begin(); std::next(cut) != cuts.end(); ++cut) {
      parts.push_back({axis.name, *cut, *std::next(cut) / *cut});
    }
    if (cuts.size() == 1) parts.push_back(axis);
  }
  return parts;
}

// Returns the text of tiles over parts of axes: `order` has the parts in the order of the tiles' dimensions.
std::string TilesText(const ShardyMesh& mesh, const std::vector<AxisPart>& parts, const std::vector<AxisPart>& order,
                      const Int64List& tiles, const std::vector<std::string>& subgroups) {
  Int64List sizes, permutation;
  for (const AxisPart& part : parts) sizes.push_back(part.size);
  for (const AxisPart& part : order) permutation.push_back(std::ranges::find(parts, part) - parts.begin());
  const bool is_one = sizes.size() == 1;
  std::string devices = fmt::format("<=[{}]", JoinText(sizes, ","));
  if (!is_one) devices += fmt::format("T({})", JoinText(permutation, ","));
  if (!mesh.devices.empty()) {
    Int64List strides(sizes.size(), 1), listed;
    for (std::size_t i = sizes.size(); i-- > 1;) strides[i - 1] = strides[i] * sizes[i];
    for (std::int64_t n = 0; n < mesh.device_count(); ++n) {
      std::int64_t rest = n, at = 0;
      for (std::size_t i = permutation.size(); i-- > 0; rest /= sizes[permutation[i]]) {
        at += rest % sizes[permutation[i]] * strides[permutation[i]];
      }
      listed.push_back(mesh.devices[at]);
    }
    devices = JoinText(listed, ",");
  }
  const std::string last = subgroups.empty() ? "" : fmt::format(" last_tile_dims={{{}}}", JoinText(subgroups, ", "));
  return fmt::format("{{devices=[{}]{}{}}}", JoinText(tiles, ","), devices, last);
}

}  // namespace

std::string MeshesText(const Program& program) {
  std::map<std::string, std::string> meshes;
  for (const Operation& operation : TopLevel(program)) {
    const Attribute* name = operation.attributes.Find("sym_name");
    if (operation.name != "sdy.mesh" || name == nullptr || name->As<std::string>() == nullptr) continue;
    const std::string text = MeshText(FieldsOf(operation.attributes.Find("mesh")));
    meshes[*name->As<std::string>()] = "#sdy.mesh" + text;
  }
  std::vector<std::string> texts;
  for (const auto& [name, text] : meshes) texts.push_back(fmt::format("{} = {}", name, text));
  return texts.empty() ? "" : fmt::format("{{{}}}", JoinText(texts, ", "));
}

namespace {

// Checks that no two of the axes in use share devices.
Status CheckUsedOnce(const Operation& operation, const std::vector<AxisPart>& parts,
                     const std::vector<AxisPart>& used) {
  for (const AxisPart& part : used) {
    const bool is_used_once = std::ranges::count(used, part) == 1 && std::ranges::find(parts, part) != parts.end();
    if (!is_used_once) return IllegalAt(operation, fmt::format("axis \"{}\" is used twice", part.name));
  }
  return {};
}

// Appends the parts of the mesh that are not in use, and returns the number of their devices.
std::int64_t AddReplicated(const std::vector<AxisPart>& parts, std::vector<AxisPart>& order) {
  std::int64_t replicated = 1;
  const std::vector<AxisPart> sharded = order;
  for (const AxisPart& part : parts) {
    if (std::ranges::find(sharded, part) != sharded.end()) continue;
    replicated *= part.size;
    order.push_back(part);
  }
  return replicated;
}

}  // namespace

Result<std::string> XlaShardingOf(const Program& program, const Operation& operation,
                                  const DialectAttribute& sharding) {
  ASSAY_TRY(const ShardyMesh mesh, FindMesh(program, operation, sharding.fields.Find("mesh_or_ref")));
  if (mesh.axes.empty() && !mesh.devices.empty()) return fmt::format("{{maximal device={}}}", mesh.devices[0]);
  if (mesh.device_count() == 1) return std::string("{replicated}");
  std::vector<AxisPart> order;
  Int64List tiles;
  const auto add = [&](const std::vector<Attribute>& axes) -> Status {
    tiles.push_back(1);
    for (const Attribute& axis : axes) {
      ASSAY_TRY(AxisPart part, PartOf(operation, mesh, axis));
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
  const std::vector<AxisPart> parts = CutAxes(mesh, order);
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
  ASSAY_TRY(const ShardyMesh mesh, FindMesh(program, operation, fields.Find("mesh")));
  std::vector<AxisPart> met;
  for (const Attribute& axis : ListOf(fields, "axes")) {
    ASSAY_TRY(AxisPart part, PartOf(operation, mesh, axis));
    met.push_back(std::move(part));
  }
  std::vector<Int64List> result(1, Int64List{0});
  const std::vector<AxisPart> parts = CutAxes(mesh, met);
  std::map<AxisPart, std::int64_t> strides;
  std::int64_t stride = 1;
  for (std::size_t i = parts.size(); i-- > 0; stride *= parts[i].size) strides[parts[i]] = stride;
  for (const AxisPart& part : parts) {  // one group for each position along the other axes
    if (std::ranges::find(met, part) != met.end()) continue;
    std::vector<Int64List> more;
    for (const Int64List& group : result) {
      for (std::int64_t n = 0; n < part.size; ++n) more.push_back({group[0] + n * strides[part]});
    }
    result = std::move(more);
  }
  for (const AxisPart& part : met) {
    for (Int64List& group : result) {
      Int64List more;
      for (const std::int64_t device : group) {
        for (std::int64_t n = 0; n < part.size; ++n) more.push_back(device + n * strides[part]);
      }
      group = std::move(more);
    }
  }
  for (Int64List& group : result) {
    for (std::int64_t& device : group) {
      if (!mesh.devices.empty()) device = mesh.devices[device];
    }
  }
  return result;
}

}  // namespace assay::stablehlo
