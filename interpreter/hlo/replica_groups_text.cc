#include <fmt/format.h>

#include "interpreter/hlo/attribute_text.h"
#include "interpreter/hlo/iota_text.h"
#include "interpreter/hlo/mesh_text.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

Result<ReplicaGroups> ParseGroupLists(TextParser& parser) {
  ReplicaGroups result;
  ASSAY_CHECK_OK(parser.ParseItems("{", "}", result.groups, [&] { return parser.ParseIntegers(); }));
  return result;
}

// Parses "[groups,size]<=[dims]T(permutation)".
Result<ReplicaGroups> ParseIotaGroups(TextParser& parser) {
  const SourceLocation location = parser.token().location;
  ASSAY_TRY(const Int64List shape, parser.ParseIntegers("[", "]"));
  if (shape.size() != 2) return TextParser::FailAt(location, "an iota replica group list is [groups,size]<=[dims]");
  ASSAY_TRY(const std::int64_t count, DeviceCount(shape, location));
  ASSAY_CHECK_OK(parser.Expect("<="));
  ASSAY_TRY(const DeviceIota iota, ParseDeviceIota(parser));
  if (count != iota.size()) {
    return TextParser::FailAt(location, fmt::format("[{}] does not hold the {} devices that the iota lists",
                                                    JoinText(shape, ","), iota.size()));
  }
  const Int64List devices = iota.Devices();
  ReplicaGroups result;
  for (std::int64_t g = 0; g < shape[0]; ++g) {
    result.groups.emplace_back(devices.begin() + g * shape[1], devices.begin() + (g + 1) * shape[1]);
  }
  result.iota_text = fmt::format("[{}]<={}", JoinText(shape, ","), iota.ToString());
  return result;
}

// Parses "mesh['x'=2,'y'=4] {'x','y':(2)2}".
Result<ReplicaGroups> ParseMeshGroups(TextParser& parser) {
  ASSAY_TRY(const Mesh mesh, ParseMesh(parser));
  const SourceLocation location = parser.token().location;
  std::vector<AxisReference> axes;
  std::vector<std::string> texts;
  ASSAY_CHECK_OK(parser.ParseList("{", "}", [&]() -> Status {
    ASSAY_TRY(AxisReference axis, ParseAxisReference(parser, mesh));
    for (const AxisReference& other : axes) {
      const bool apart = axis.axis != other.axis || axis.before * axis.size <= other.before ||
                         other.before * other.size <= axis.before;
      if (!apart) return TextParser::FailAt(location, "parts of one axis overlap");
    }
    texts.push_back(axis.text);
    axes.push_back(std::move(axis));
    return {};
  }));
  ReplicaGroups result = GroupsOfAxes(mesh, axes);
  if (result.groups[0].size() < 2) return TextParser::FailAt(location, "the groups of a mesh have several devices");
  result.iota_text = fmt::format("{} {{{}}}", mesh.text, JoinText(texts, ","));
  return result;
}

}  // namespace

ReplicaGroups GroupsOfAxes(const Mesh& mesh, const std::vector<AxisReference>& axes) {
  const std::vector<std::int64_t> axis_strides = RowMajorStrides(mesh.axis_sizes);
  Int64List group_sizes;
  std::vector<std::int64_t> group_strides[1];
  std::vector<bool> in_group(Product(mesh.axis_sizes), false);
  for (const AxisReference& axis : axes) {
    const std::int64_t after = mesh.axis_sizes[axis.axis] / (axis.before * axis.size);
    group_sizes.push_back(axis.size);
    group_strides[0].push_back(axis_strides[axis.axis] * after);
  }
  ReplicaGroups result;
  for (std::int64_t first = 0; first < static_cast<std::int64_t>(in_group.size()); ++first) {
    if (in_group[first]) continue;
    Int64List& group = result.groups.emplace_back();
    StridedWalk<1>(group_sizes, group_strides).ForEach({first}, [&](const std::int64_t(&place)[1]) {
      in_group[place[0]] = true;
      group.push_back(mesh.Device(place[0]));
    });
  }
  return result;
}

Result<ReplicaGroups> ParseReplicaGroups(TextParser& parser) {
  if (parser.At("{")) return ParseGroupLists(parser);
  if (parser.At("[")) return ParseIotaGroups(parser);
  if (AtMesh(parser)) return ParseMeshGroups(parser);
  return parser.Expected("replica groups: {{0,1},{2,3}}, [2,2]<=[4] or a mesh");
}

}  // namespace assay
