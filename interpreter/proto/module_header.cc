#include "interpreter/proto/module_header.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/hlo/annotation_text.h"
#include "interpreter/proto/annotations.h"
#include "interpreter/proto/structures.h"
#include "interpreter/proto/values.h"

namespace assay::proto {
namespace {

namespace header_field = fields::HloModuleProto;

constexpr std::int64_t kMostDevices = 1 << 22;

Error WrongHeader(std::string message) { return {ErrorCode::kParse, std::move(message)}; }

// Reads the layouts of the entry's parameters and result; without them, those of its instructions.
Status ReadEntryLayout(const Message& message, HloModule& module) {
  const auto parameters = module.entry->Parameters();
  if (!message.Has(header_field::host_program_shape)) {
    SetEntryLayouts(module);
    return {};
  }
  const Message program = message.Sub(header_field::host_program_shape);
  for (const std::string_view bytes : program.Texts(fields::ProgramShapeProto::parameters)) {
    Result<Shape> shape = ReadShape(Message(bytes));
    if (!shape) return WrongHeader("host_program_shape: " + shape.error().message);
    module.entry_parameter_layouts.push_back(*std::move(shape));
  }
  if (module.entry_parameter_layouts.size() != parameters.size()) {
    return WrongHeader(
        fmt::format("host_program_shape must have the {} parameter(s) of the entry computation, found {}",
                    parameters.size(), module.entry_parameter_layouts.size()));
  }
  Result<Shape> result = ReadShape(program.Sub(fields::ProgramShapeProto::result));
  if (!result) return WrongHeader("host_program_shape: " + result.error().message);
  module.entry_result_layout = *std::move(result);
  return {};
}

constexpr const Field& kAliasEntries = fields::HloInputOutputAliasProto::entries;
constexpr const Field& kDonorEntries = fields::HloBufferDonorProto::entries;

// Writes what the text of a header attribute lists.
template <class Parse>
MessageWriter WriteEntries(Parse parse, const std::string& text, const Field& entries) {
  MessageWriter message;
  TextParser parser(text);
  if (const auto list = parse(parser)) WriteList(*list, entries, message);
  return message;
}

// Reads the numbers of devices, which the message has only here.
Status ReadDeviceCounts(const Message& assignment, HloModule& module) {
  const auto count = [](std::int64_t number) { return std::max<std::int64_t>(number, 1); };
  module.replica_count = count(assignment.Integer(fields::DeviceAssignmentProto::replica_count));
  module.num_partitions = count(assignment.Integer(fields::DeviceAssignmentProto::computation_count));
  if (module.replica_count <= kMostDevices && module.num_partitions <= kMostDevices / module.replica_count) return {};
  return WrongHeader(fmt::format("device_assignment: more than {} devices", kMostDevices));
}

// Writes the device assignment: replica r of partition p runs on device r * partitions + p.
MessageWriter WriteDeviceAssignment(const HloModule& module) {
  MessageWriter message;
  message.Integer(fields::DeviceAssignmentProto::replica_count, module.replica_count);
  message.Integer(fields::DeviceAssignmentProto::computation_count, module.num_partitions);
  for (std::int64_t p = 0; p < module.num_partitions; ++p) {
    Int64List devices;
    for (std::int64_t r = 0; r < module.replica_count; ++r) devices.push_back(r * module.num_partitions + p);
    MessageWriter partition;
    partition.Integers(fields::DeviceAssignmentProto_ComputationDevice::replica_device_ids, devices);
    message.Sub(fields::DeviceAssignmentProto::computation_devices, partition);
  }
  return message;
}

}  // namespace

Status ReadHeader(const Message& message, HloModule& module) {
  ASSAY_CHECK_OK(ReadEntryLayout(message, module));
  ASSAY_CHECK_OK(ReadDeviceCounts(message.Sub(header_field::device_assignment), module));
  const auto attribute = [&](std::string_view name, std::string text) {
    if (!text.empty()) module.header_attributes.emplace(name, std::move(text));
  };
  attribute("input_output_alias", PrintAliases(ReadList<std::vector<BufferAlias>>(
                                      message.Sub(header_field::input_output_alias), kAliasEntries)));
  attribute("buffer_donor", PrintDonors(ReadList<std::vector<ParameterBuffer>>(message.Sub(header_field::buffer_donor),
                                                                               kDonorEntries)));
  ASSAY_TRY(std::string attributes, ReadFrontendAttributes(message.Sub(header_field::frontend_attributes)));
  attribute("frontend_attributes", std::move(attributes));
  attribute("backend_config", PrintBackendConfig(std::string(message.Text(header_field::backend_config))));
  return {};
}

void WriteHeader(const HloModule& module, MessageWriter& message) {
  const auto write = [&](std::string_view name, const Field& field, auto writer) {
    const auto found = module.header_attributes.find(name);
    if (found != module.header_attributes.end()) message.Sub(field, writer(found->second));
  };
  message.Sub(header_field::host_program_shape,
              WriteProgramShape(module.entry_parameter_layouts, module.entry_result_layout, *module.entry));
  write("input_output_alias", header_field::input_output_alias,
        [](const std::string& text) { return WriteEntries(ParseAliases, text, kAliasEntries); });
  write("buffer_donor", header_field::buffer_donor,
        [](const std::string& text) { return WriteEntries(ParseDonors, text, kDonorEntries); });
  write("frontend_attributes", header_field::frontend_attributes,
        [](const std::string& text) { return WriteFrontendAttributes(text); });
  if (const auto found = module.header_attributes.find("backend_config"); found != module.header_attributes.end()) {
    message.Text(header_field::backend_config, UnquotedText(found->second));
  }
  if (module.device_count() > 1) message.Sub(header_field::device_assignment, WriteDeviceAssignment(module));
  if (!module.stack_tables.empty()) message.Sub(header_field::stack_frame_index, WriteStackTables(module.stack_tables));
}

MessageWriter WriteProgramShape(const std::vector<Shape>& parameters, const Shape& result,
                                const HloComputation& computation) {
  MessageWriter program;
  for (const Shape& parameter : parameters) program.Sub(fields::ProgramShapeProto::parameters, WriteShape(parameter));
  program.Sub(fields::ProgramShapeProto::result, WriteShape(result));
  for (const HloInstruction* parameter : computation.Parameters()) {
    program.AddText(fields::ProgramShapeProto::parameter_names, parameter == nullptr ? "" : parameter->name);
  }
  return program;
}

}  // namespace assay::proto
