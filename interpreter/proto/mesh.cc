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
  const Result<DeviceIota> iota = ParseDeviceIota(parser);
  if (!counts || !iota) return;
  const auto [dimensions, permutation] = iota->ShortestForm();
  MessageWriter list;
  list.Integer(field::num_replica_groups, counts->front());
  list.Integer(field::num_devices_per_group, counts->back());
  list.Integers(field::iota_reshape_dims, dimensions);
  list.Integers(field::iota_transpose_perm, permutation);
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

std::string IotaText(const Int64List& dimensions, const Int64List& permutation) {
  std::string text = fmt::format("[{}]", JoinText(dimensions, ","));
  if (dimensions.size() > 1) text += fmt::format("T({})", JoinText(permutation, ","));
  return text;
}

std::string MeshText(const Message& mesh) {
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
    text += fmt::format(", device_ids=({})", IotaText(iota.Integers(fields::MeshProto_IotaTransform::reshape_dims),
                                                      iota.Integers(fields::MeshProto_IotaTransform::transpose_perm)));
  } else if (!devices.empty()) {
    text += fmt::format(", device_ids=({})", JoinText(devices, ","));
  }
  return text;
}

// Parses all of a text by which a message is checked as its text form is.
template <class Parse>
auto ParsedText(std::string_view what, const std::string& text, Parse parse)
    -> decltype(parse(std::declval<TextParser&>())) {
  TextParser parser(text);
  auto parsed = parse(parser);
  const Status end = parsed ? parser.ExpectEnd() : parsed.error();
  if (!end) return Error{ErrorCode::kParse, fmt::format("{}{}: {}", what, text, end.error().message)};
  return parsed;
}

Result<AxisReference> ReadAxis(const Message& message, const Mesh& mesh) {
  const std::int64_t number = message.Integer(fields::AxisRefProto::mesh_axis_index);
  if (number < 0 || number >= std::ssize(mesh.axis_names)) {
    return Error{ErrorCode::kParse,
                 fmt::format("the mesh has {} axes, and none of number {}", mesh.axis_names.size(), number)};
  }
  std::string text = fmt::format("'{}'", Escape(mesh.axis_names[number]));
  if (message.Has(fields::AxisRefProto::sub_axis_info)) {
    const Message part = message.Sub(fields::AxisRefProto::sub_axis_info);
    text += fmt::format(":({}){}", part.Integer(fields::AxisRefProto_SubAxis::pre_size),
                        part.Integer(fields::AxisRefProto_SubAxis::size));
  }
  return ParsedText("", text, [&](TextParser& parser) { return ParseAxisReference(parser, mesh); });
}

}  // namespace

Result<DeviceIota> ReadIota(const Int64List& dimensions, const Int64List& permutation) {
  return ParsedText("", IotaText(dimensions, permutation), ParseDeviceIota);
}

Result<Mesh> ReadMesh(const Message& message) { return ParsedText("", MeshText(message), ParseMesh); }

Result<std::vector<AxisReference>> ReadAxes(const std::vector<Message>& messages, const Mesh& mesh) {
  std::vector<AxisReference> axes;
  for (const Message& message : messages) {
    ASSAY_TRY(axes.emplace_back(), ReadAxis(message, mesh));
  }
  return axes;
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
    const auto [dimensions, permutation] = mesh.iota->ShortestForm();
    MessageWriter transform;
    transform.Integers(fields::MeshProto_IotaTransform::reshape_dims, dimensions);
    transform.Integers(fields::MeshProto_IotaTransform::transpose_perm, permutation);
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
  const auto parsed = [](const std::string& text) -> Result<std::optional<ReplicaGroups>> {
    ASSAY_TRY(ReplicaGroups groups, ParsedText("replica_groups=", text, ParseReplicaGroups));
    return std::optional(std::move(groups));
  };
  if (instruction.Has(instruction_fields::iota_collective_device_list)) {
    namespace field = fields::IotaReplicaGroupListProto;
    const Message list = instruction.Sub(instruction_fields::iota_collective_device_list);
    return parsed(
        fmt::format("[{},{}]<={}", list.Integer(field::num_replica_groups), list.Integer(field::num_devices_per_group),
                    IotaText(list.Integers(field::iota_reshape_dims), list.Integers(field::iota_transpose_perm))));
  }
  if (instruction.Has(instruction_fields::mesh_axes_replica_group_list)) {
    const Message list = instruction.Sub(instruction_fields::mesh_axes_replica_group_list);
    ASSAY_TRY(const Mesh mesh, ReadMesh(list.Sub(fields::MeshAxesReplicaGroupListProto::mesh)));
    ASSAY_TRY(const auto axes, ReadAxes(list.Messages(fields::MeshAxesReplicaGroupListProto::axes), mesh));
    std::vector<std::string_view> texts;
    for (const AxisReference& axis : axes) texts.push_back(axis.text);
    return parsed(fmt::format("{} {{{}}}", mesh.text, JoinText(texts, ", ")));
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
