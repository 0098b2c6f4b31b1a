#include "backends/pjrt/compile_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "interpreter/proto/message.h"
#include "interpreter/proto/schema.h"
#include "interpreter/proto/values.h"
#include "interpreter/types/number_in_text.h"

namespace assay::pjrt {
namespace {

using proto::Field;
using proto::FieldKind;
using proto::MessageType;
using proto::MessageWriter;

// Fields of CompileOptionsProto.
constexpr Field kArgumentLayouts = {MessageType::kNone, "argument_layouts", 1, FieldKind::kMessages};
constexpr Field kBuildOptions = {MessageType::kNone, "executable_build_options", 3, FieldKind::kMessage};
constexpr Field kIsPortable = {MessageType::kNone, "compile_portable_executable", 4, FieldKind::kInteger};
constexpr Field kOverrides = {MessageType::kNone, "env_option_overrides", 7, FieldKind::kMessages};
// Fields of an entry of that map, and of its value, an OptionOverrideProto.
constexpr Field kOverrideName = {MessageType::kNone, "key", 1, FieldKind::kText};
constexpr Field kOverrideValue = {MessageType::kNone, "value", 2, FieldKind::kMessage};
constexpr Field kTextOverride = {MessageType::kNone, "string_field", 1, FieldKind::kText};
constexpr Field kFlagOverride = {MessageType::kNone, "bool_field", 2, FieldKind::kInteger};
constexpr Field kIntegerOverride = {MessageType::kNone, "int_field", 3, FieldKind::kInteger};
constexpr Field kNumberOverride = {MessageType::kNone, "double_field", 4, FieldKind::kDouble};
// Fields of ExecutableBuildOptionsProto.
constexpr Field kDeviceOrdinal = {MessageType::kNone, "device_ordinal", 1, FieldKind::kInteger};
constexpr Field kResultLayout = {MessageType::kNone, "result_layout", 2, FieldKind::kMessage};
constexpr Field kReplicas = {MessageType::kNone, "num_replicas", 4, FieldKind::kInteger};
constexpr Field kPartitions = {MessageType::kNone, "num_partitions", 5, FieldKind::kInteger};
constexpr Field kUsesSpmd = {MessageType::kNone, "use_spmd_partitioning", 6, FieldKind::kInteger};
constexpr Field kDeviceAssignment = {MessageType::kNone, "device_assignment", 9, FieldKind::kMessage};

// The most devices of an assignment that is read.
constexpr std::int64_t kMostAssigned = 1 << 20;

// The partitions one after the other, each with the devices of its replicas.
MessageWriter AssignmentMessage(std::int64_t replicas, std::int64_t partitions,
                                std::span<const std::int64_t> device_ids) {
  namespace assignment = proto::fields::DeviceAssignmentProto;
  MessageWriter message;
  message.Integer(assignment::replica_count, replicas);
  message.Integer(assignment::computation_count, partitions);
  for (std::int64_t partition = 0; partition < partitions; ++partition) {
    std::vector<std::int64_t> of_replicas;
    for (std::int64_t replica = 0; replica < replicas; ++replica) {
      of_replicas.push_back(device_ids[static_cast<std::size_t>(replica * partitions + partition)]);
    }
    MessageWriter devices;
    devices.Integers(proto::fields::DeviceAssignmentProto_ComputationDevice::replica_device_ids, of_replicas);
    message.Sub(assignment::computation_devices, devices);
  }
  return message;
}

Status ReadAssignment(const proto::Message& message, CompileOptions& options) {
  namespace assignment = proto::fields::DeviceAssignmentProto;
  const std::vector<proto::Message> partitions = message.Messages(assignment::computation_devices);
  options.device_ids.resize(static_cast<std::size_t>(options.replicas * options.partitions));
  bool fits = std::ssize(partitions) == options.partitions;
  for (std::size_t p = 0; fits && p < partitions.size(); ++p) {
    const auto ids = partitions[p].Integers(proto::fields::DeviceAssignmentProto_ComputationDevice::replica_device_ids);
    fits = std::ssize(ids) == options.replicas;
    for (std::size_t r = 0; fits && r < ids.size(); ++r) options.device_ids[r * partitions.size() + p] = ids[r];
  }
  if (fits) return {};
  return Error{ErrorCode::kInput, fmt::format("the device assignment must have {} partitions of {} replicas each",
                                              options.partitions, options.replicas)};
}

// A setting that is spelled like a truth value or an integer is one.
MessageWriter WriteSetting(const CompilerSetting& setting) {
  const std::string& text = setting.value;
  MessageWriter value, entry;
  if (text == "true" || text == "false") {
    value.PresentInteger(kFlagOverride, text == "true" ? 1 : 0);
  } else if (const auto integer = NumberInText<std::int64_t>(text)) {
    value.PresentInteger(kIntegerOverride, *integer);
  } else {
    value.AddText(kTextOverride, text);
  }
  entry.Text(kOverrideName, setting.name);
  entry.Sub(kOverrideValue, value);
  return entry;
}

// The inverse of WriteSetting.
CompilerSetting ReadSetting(const proto::Message& entry) {
  const proto::Message value = entry.Sub(kOverrideValue);
  CompilerSetting setting = {std::string(entry.Text(kOverrideName)), std::string(value.Text(kTextOverride))};
  if (value.Has(kFlagOverride)) setting.value = value.Bool(kFlagOverride) ? "true" : "false";
  if (value.Has(kIntegerOverride)) setting.value = std::to_string(value.Integer(kIntegerOverride));
  if (value.Has(kNumberOverride)) setting.value = fmt::format("{}", value.Number(kNumberOverride));
  return setting;
}

bool AllRowMajor(const Shape& shape) {
  return shape.IsTuple() ? std::ranges::all_of(shape.tuple_shapes(), AllRowMajor) : IsRowMajor(shape);
}

}  // namespace

bool IsRowMajor(const Shape& array) {
  return !array.IsArray() || !array.has_layout() || LayoutUtil::IsMonotonicWithDim0Major(array.layout());
}

std::string WriteCompileOptions(const HloModule& module, std::span<const std::int64_t> device_ids,
                                std::span<const CompilerSetting> settings) {
  MessageWriter build, options;
  build.Integer(kDeviceOrdinal, -1);  // any
  build.Integer(kReplicas, module.replica_count);
  build.Integer(kPartitions, module.num_partitions);
  build.Integer(kUsesSpmd, module.num_partitions > 1 ? 1 : 0);
  build.Sub(kDeviceAssignment, AssignmentMessage(module.replica_count, module.num_partitions, device_ids));
  // Without these lists a compiler chooses its own layouts, whatever the module has.
  if (!std::ranges::all_of(module.entry_parameter_layouts, AllRowMajor) || !AllRowMajor(module.entry_result_layout)) {
    for (const Shape& parameter : module.entry_parameter_layouts) {
      options.Sub(kArgumentLayouts, proto::WriteShape(parameter));
    }
    build.Sub(kResultLayout, proto::WriteShape(module.entry_result_layout));
  }
  options.Sub(kBuildOptions, build);
  for (const CompilerSetting& setting : settings) options.Sub(kOverrides, WriteSetting(setting));
  return options.TakeBytes();
}

Result<CompileOptions> ReadCompileOptions(std::string_view bytes) {
  ASSAY_CHECK_OK(proto::CheckMessage(bytes, MessageType::kNone));
  const proto::Message message(bytes);
  const proto::Message build = message.Sub(kBuildOptions);
  CompileOptions options;
  options.is_portable = message.Bool(kIsPortable);
  options.replicas = std::max<std::int64_t>(1, build.Integer(kReplicas));
  options.partitions = std::max<std::int64_t>(1, build.Integer(kPartitions));
  if (options.replicas > kMostAssigned || options.partitions > kMostAssigned / options.replicas) {
    return Error{ErrorCode::kLimit, fmt::format("{} replicas of {} partitions are more than {} devices",
                                                options.replicas, options.partitions, kMostAssigned)};
  }
  for (const proto::Message& entry : message.Messages(kOverrides)) options.settings.push_back(ReadSetting(entry));
  if (build.Has(kDeviceAssignment)) ASSAY_CHECK_OK(ReadAssignment(build.Sub(kDeviceAssignment), options));
  return options;
}

std::string WriteDeviceAssignment(std::int64_t replicas, std::int64_t partitions,
                                  std::span<const std::int64_t> device_ids) {
  return AssignmentMessage(replicas, partitions, device_ids).TakeBytes();
}

}  // namespace assay::pjrt
