// Meshes, their axes, and replica groups.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/hlo/attribute_text.h"
#include "interpreter/proto/sharding.h"
#include "interpreter/types/join_text.h"

namespace assay::proto {
namespace {

namespace instruction_fields = fields::HloInstructionProto;

Int64List ReadGroup(const Message& group) { return group.Integers(fields::ReplicaGroup::replica_ids); }

ReplicaGroups ReadGroupLists(const std::vector<Message>& groups) {
  ReplicaGroups result;
  for (const Message& group : groups) result.groups.push_back(ReadGroup(group));
  return result;
}

Result<std::optional<ReplicaGroups>> ParsedGroups(const std::string& text) {
  TextParser parser(text);
  Result<ReplicaGroups> groups = ParseReplicaGroups(parser);
  if (!groups) return Error{ErrorCode::kParse, fmt::format("replica_groups={}: {}", text, groups.error().message)};
  return std::optional<ReplicaGroups>(*std::move(groups));
}

void WriteGroupLists(const std::vector<Int64List>& groups, MessageWriter& instruction) {
  MessageWriter list;
  for (const Int64List& group : groups) {
    MessageWriter devices;
    devices.Integers(fields::ReplicaGroup::replica_ids, group);
    list.Sub(fields::CollectiveDeviceListProto::replica_groups, devices);
  }
  instruction.Sub(instruction_fields::collective_device_list, list);
}

// Writes "[2,4]<=[8]".
void WriteIotaGroups(TextParser& parser, MessageWriter& instruction) {
  namespace field = fields::IotaReplicaGroupListProto;
  const Result<Int64List> counts = parser.ParseIntegers("[", "]");
  parser.Eat("<=");
  const IotaText iota = ParseIotaText(parser);
  MessageWriter list;
  list.Integer(field::num_replica_groups, counts && !counts->empty() ? counts->front() : 0);
  list.Integer(field::num_devices_per_group, counts && !counts->empty() ? counts->back() : 0);
  list.Integers(field::iota_reshape_dims, iota.dimensions);
  list.Integers(field::iota_transpose_perm, iota.permutation);
  instruction.Sub(instruction_fields::iota_collective_device_list, list);
}

// Writes "mesh['x'=2,'y'=4] {'x'}".
void WriteMeshGroups(TextParser& parser, MessageWriter& instruction) {
  MessageWriter list;
  const Result<Mesh> mesh = ParseMesh(parser);
  if (!mesh) return;
  list.Sub(fields::MeshAxesReplicaGroupListProto::mesh, WriteMesh(*mesh));
  parser.Eat("{");
  while (const Result<AxisReference> axis = ParseAxisReference(parser, *mesh)) {
    list.Sub(fields::MeshAxesReplicaGroupListProto::axes, WriteAxis(*axis));
    parser.Eat(",");
  }
  instruction.Sub(instruction_fields::mesh_axes_replica_group_list, list);
}

}  // namespace

IotaText ParseIotaText(TextParser& parser) {
  IotaText iota;
  if (Result<Int64List> dimensions = parser.ParseIntegers("[", "]")) iota.dimensions = *std::move(dimensions);
  iota.permutation = {0};
  if (parser.Is(TokenKind::kIdentifier) && parser.token().text == "T") {
    parser.Next();
    if (Result<Int64List> permutation = parser.ParseIntegers("(", ")")) iota.permutation = *std::move(permutation);
  }
  return iota;
}

std::string PrintIotaText(const Int64List& dimensions, const Int64List& permutation) {
  std::string text = fmt::format("[{}]", JoinText(dimensions, ","));
  if (dimensions.size() > 1) text += fmt::format("T({})", JoinText(permutation, ","));
  return text;
}

Result<std::string> ReadMesh(const Message& mesh) {
  const std::vector<Message> axes = mesh.Messages(fields::MeshProto::axes);
  const Int64List devices = mesh.Integers(fields::MeshProto::device_ids);
  if (axes.empty() && devices.size() == 1) return fmt::format("maximal_mesh[device_id={}]", devices[0]);
  std::vector<std::string> sizes;
  for (const Message& axis : axes) {
    sizes.push_back(fmt::format("'{}'={}", Escape(axis.Text(fields::MeshProto_MeshAxis::name)),
                                axis.Integer(fields::MeshProto_MeshAxis::size)));
  }
  std::string text = fmt::format("mesh[{}]", JoinText(sizes, ","));
  if (mesh.Has(fields::MeshProto::iota_transform)) {
    const Message iota = mesh.Sub(fields::MeshProto::iota_transform);
    text +=
        fmt::format(", device_ids=({})", PrintIotaText(iota.Integers(fields::MeshProto_IotaTransform::reshape_dims),
                                                       iota.Integers(fields::MeshProto_IotaTransform::transpose_perm)));
  } else if (!devices.empty()) {
    text += fmt::format(", device_ids=({})", JoinText(devices, ","));
  }
  return text;
}

Result<std::string> ReadAxis(const Message& axis, const Message& mesh) {
  const std::vector<std::string_view> axes = mesh.Texts(fields::MeshProto::axes);
  const std::int64_t number = axis.Integer(fields::AxisRefProto::mesh_axis_index);
  if (number < 0 || number >= std::ssize(axes)) {
    return Error{ErrorCode::kParse, fmt::format("the mesh has {} axes, and none of number {}", axes.size(), number)};
  }
  std::string text = fmt::format("'{}'", Escape(Message(axes[number]).Text(fields::MeshProto_MeshAxis::name)));
  if (!axis.Has(fields::AxisRefProto::sub_axis_info)) return text;
  const Message part = axis.Sub(fields::AxisRefProto::sub_axis_info);
  return text + fmt::format(":({}){}", part.Integer(fields::AxisRefProto_SubAxis::pre_size),
                            part.Integer(fields::AxisRefProto_SubAxis::size));
}

Result<std::string> ReadAxes(const std::vector<Message>& axes, const Message& mesh) {
  std::vector<std::string> texts;
  for (const Message& axis : axes) {
    ASSAY_TRY(texts.emplace_back(), ReadAxis(axis, mesh));
  }
  return fmt::format("{{{}}}", JoinText(texts, ", "));
}

MessageWriter WriteMesh(const Mesh& mesh) {
  MessageWriter message;
  for (std::size_t i = 0; i < mesh.axis_names.size(); ++i) {
    MessageWriter axis;
    axis.Text(fields::MeshProto_MeshAxis::name, mesh.axis_names[i]);
    axis.Integer(fields::MeshProto_MeshAxis::size, mesh.axis_sizes[i]);
    message.Sub(fields::MeshProto::axes, axis);
  }
  if (mesh.iota) {
    const std::string text = mesh.iota->ToString();
    TextParser parser(text);
    const IotaText iota = ParseIotaText(parser);
    MessageWriter transform;
    transform.Integers(fields::MeshProto_IotaTransform::reshape_dims, iota.dimensions);
    transform.Integers(fields::MeshProto_IotaTransform::transpose_perm, iota.permutation);
    message.Sub(fields::MeshProto::iota_transform, transform);
  } else {
    message.Integers(fields::MeshProto::device_ids, mesh.devices);
  }
  return message;
}

MessageWriter WriteAxis(const AxisReference& reference) {
  MessageWriter axis;
  axis.Integer(fields::AxisRefProto::mesh_axis_index, reference.axis);
  if (reference.text.ends_with('\'')) return axis;  // not a part
  MessageWriter part;
  part.Integer(fields::AxisRefProto_SubAxis::pre_size, reference.before);
  part.Integer(fields::AxisRefProto_SubAxis::size, reference.size);
  axis.Sub(fields::AxisRefProto::sub_axis_info, part);
  return axis;
}

Result<std::optional<ReplicaGroups>> ReadReplicaGroups(const Message& instruction) {
  if (instruction.Has(instruction_fields::iota_collective_device_list)) {
    namespace field = fields::IotaReplicaGroupListProto;
    const Message list = instruction.Sub(instruction_fields::iota_collective_device_list);
    return ParsedGroups(
        fmt::format("[{},{}]<={}", list.Integer(field::num_replica_groups), list.Integer(field::num_devices_per_group),
                    PrintIotaText(list.Integers(field::iota_reshape_dims), list.Integers(field::iota_transpose_perm))));
  }
  if (instruction.Has(instruction_fields::mesh_axes_replica_group_list)) {
    const Message list = instruction.Sub(instruction_fields::mesh_axes_replica_group_list);
    const Message mesh = list.Sub(fields::MeshAxesReplicaGroupListProto::mesh);
    ASSAY_TRY(const std::string text, ReadMesh(mesh));
    ASSAY_TRY(const std::string axes, ReadAxes(list.Messages(fields::MeshAxesReplicaGroupListProto::axes), mesh));
    return ParsedGroups(text + " " + axes);
  }
  if (instruction.Has(instruction_fields::collective_device_list)) {
    const Message list = instruction.Sub(instruction_fields::collective_device_list);
    return std::optional(ReadGroupLists(list.Messages(fields::CollectiveDeviceListProto::replica_groups)));
  }
  // The oldest form: repeated replica_groups.
  if (!instruction.Has(instruction_fields::replica_groups)) return std::optional<ReplicaGroups>();
  return std::optional(ReadGroupLists(instruction.Messages(instruction_fields::replica_groups)));
}

void WriteReplicaGroups(const ReplicaGroups& groups, MessageWriter& instruction) {
  if (groups.iota_text.empty()) return WriteGroupLists(groups.groups, instruction);
  TextParser parser(groups.iota_text);
  if (parser.At("[")) {
    WriteIotaGroups(parser, instruction);
  } else {
    WriteMeshGroups(parser, instruction);
  }
}

}  // namespace assay::proto
