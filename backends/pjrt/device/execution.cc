// Compiled programs that are assigned to devices, and their runs.
#include <fmt/format.h>

#include <algorithm>

#include "backends/pjrt/device/functions.h"
#include "backends/pjrt/device/objects.h"
#include "interpreter/types/limits.h"

namespace assay::pjrt {
namespace {

// Returns the devices of a program in the order of flattened ids.
Result<std::vector<PJRT_Device*>> AssignDevices(const PJRT_Client& client, const CompiledProgram& program) {
  const std::int64_t count = program.replicas() * program.partitions();
  const std::vector<std::int64_t>& ids = program.options().device_ids;
  if (count > std::ssize(client.devices) || (!ids.empty() && std::ssize(ids) != count)) {
    return Error{ErrorCode::kInput,
                 fmt::format("the program runs on {} devices, {} are assigned, and the client has {}", count,
                             ids.size(), client.devices.size())};
  }
  std::vector<PJRT_Device*> devices;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t id = ids.empty() ? i : ids[static_cast<std::size_t>(i)];
    devices.push_back(client.FindDevice(id));
    if (devices.back() == nullptr) {
      return Error{ErrorCode::kInput, fmt::format("the program is assigned to device {}, and the client has {}", id,
                                                  client.devices.size())};
    }
  }
  return devices;
}

Result<PJRT_LoadedExecutable*> Load(PJRT_Client& client, ProgramSource source) {
  const TimeLimit time(client.options.time_limit, "the option time_limit");
  ASSAY_TRY(std::shared_ptr<const CompiledProgram> program,
            CompiledProgram::Compile(std::move(source), *client.engine));
  ASSAY_TRY(std::vector<PJRT_Device*> devices, AssignDevices(client, *program));
  std::vector<PJRT_LogicalDeviceIds> logical_ids;
  for (int device = 0; device < std::ssize(devices); ++device) {
    const auto partitions = static_cast<int>(program->partitions());
    logical_ids.push_back({device / partitions, device % partitions});
  }
  std::string fingerprint = program->fingerprint();
  return new PJRT_LoadedExecutable{
      &client, std::move(program), std::move(devices), std::move(logical_ids), std::move(fingerprint), false};
}

// Returns the program that a caller compiles.
template <class Args>
ProgramSource SourceOf(const Args& args) {
  return {std::string(args.program->format, args.program->format_size),
          std::string(args.program->code, args.program->code_size),
          std::string(args.compile_options, args.compile_options_size)};
}

Error WrongArgument(std::size_t number, const Shape& expected, const Shape& found) {
  return {ErrorCode::kInput, fmt::format("argument {} must be {}, found {}", number, expected.ToStringWithoutLayout(),
                                         found.ToStringWithoutLayout())};
}

// True for the arrays that a framework hands over as tokens.
bool IsToken(const Shape& shape) {
  return shape.IsToken() || (shape.element_type() == PRED && ShapeUtil::ElementsIn(shape) == 0);
}

bool FitsParameter(const Shape& found, const Shape& parameter) {
  return parameter.IsToken() ? IsToken(found) : ShapeUtil::Compatible(found, parameter);
}

Status CheckArguments(const PJRT_LoadedExecutable_Execute_Args& args) {
  const CompiledProgram& program = *args.executable->program;
  const std::vector<ShardedValue>& parameters = program.parameters();
  if (args.executable->is_deleted) return Error{ErrorCode::kInput, "the executable has been deleted"};
  if (args.num_devices != args.executable->devices.size()) {
    return Error{ErrorCode::kInput, fmt::format("the program runs on {} devices, found arguments for {}",
                                                args.executable->devices.size(), args.num_devices)};
  }
  if (args.num_args != parameters.size()) {
    return Error{ErrorCode::kInput,
                 fmt::format("the program must have {} arguments, found {}", parameters.size(), args.num_args)};
  }
  if (args.options != nullptr && (args.options->num_send_ops > 0 || args.options->num_recv_ops > 0)) {
    return Error{ErrorCode::kUnsupported, "assay's plugin has no callbacks for send and recv"};
  }
  for (std::size_t device = 0; device < args.num_devices; ++device) {
    for (std::size_t i = 0; i < args.num_args; ++i) {
      const Shape& found = args.argument_lists[device][i]->shape;
      if (!FitsParameter(found, parameters[i].part)) return WrongArgument(i, parameters[i].part, found);
    }
  }
  return {};
}

// True for each parameter whose buffer the run consumes.
std::vector<bool> Consumed(const PJRT_LoadedExecutable_Execute_Args& args) {
  std::vector<bool> consumed = args.executable->program->donated();
  if (args.options == nullptr) return consumed;
  const PJRT_ExecuteOptions& options = *args.options;
  for (std::size_t i = 0; i < options.num_non_donatable_input_indices; ++i) {
    const auto index = static_cast<std::size_t>(options.non_donatable_input_indices[i]);
    if (index < consumed.size()) consumed[index] = false;
  }
  return consumed;
}

Result<DeviceValues> ReadArguments(const PJRT_LoadedExecutable_Execute_Args& args) {
  const std::vector<bool> consumed = Consumed(args);
  DeviceValues values(static_cast<std::int64_t>(args.num_devices));
  for (std::size_t device = 0; device < args.num_devices; ++device) {
    for (std::size_t i = 0; i < args.num_args; ++i) {
      PJRT_Buffer& buffer = *args.argument_lists[device][i];
      Result<Literal> value = consumed[i] ? buffer.DonateArray() : buffer.ReadArray();
      if (!value) {
        value.error().message = fmt::format("argument {}: {}", i, value.error().message);
        return std::move(value.error());
      }
      const bool is_token = args.executable->program->parameters()[i].part.IsToken();
      values[static_cast<std::int64_t>(device)].push_back(is_token ? Literal::MakeToken() : *std::move(value));
    }
  }
  return values;
}

Result<DeviceValues> RunWithinLimits(const PJRT_LoadedExecutable& loaded, DeviceValues values) {
  const ClientOptions& options = loaded.client->options;
  const TimeLimit time(options.time_limit, "the option time_limit");
  const ArrayLimit memory(options.memory_limit > 0 ? options.memory_limit : INT64_MAX);
  return loaded.program->Run(std::move(values));
}

// Gives a result memory of its own if an argument, another result or the program has the same: frameworks tell arrays
// by their addresses.
void Unshare(Literal& result) {
  if (result.shape().IsArray() && result.element_count() > 0) result.mutable_data();
}

}  // namespace

Status Client_Compile(PJRT_Client_Compile_Args& args) {
  ASSAY_TRY(args.executable, Load(*args.client, SourceOf(args)));
  return {};
}

Status Compile(PJRT_Compile_Args& args) {
  const TimeLimit time(args.topology->options.time_limit, "the option time_limit");
  ASSAY_TRY(std::unique_ptr<Backend> engine, OpenEngine(args.topology->options));
  ASSAY_TRY(std::shared_ptr<const CompiledProgram> program, CompiledProgram::Compile(SourceOf(args), *engine));
  args.executable = new PJRT_Executable(std::move(program), std::move(engine));
  return {};
}

Status Client_Load(PJRT_Client_Load_Args& args) {
  ProgramSource source = args.executable->program->source();
  if (args.compile_options_size > 0) source.compile_options.assign(args.compile_options, args.compile_options_size);
  ASSAY_TRY(args.loaded_executable, Load(*args.client, std::move(source)));
  return {};
}

Status Executable_DeserializeAndLoad(PJRT_Executable_DeserializeAndLoad_Args& args) {
  ASSAY_TRY(ProgramSource source,
            ProgramSource::Deserialize({args.serialized_executable, args.serialized_executable_size}));
  if (args.overridden_serialized_compile_options_size > 0) {
    source.compile_options.assign(args.overridden_serialized_compile_options,
                                  args.overridden_serialized_compile_options_size);
  }
  ASSAY_TRY(args.loaded_executable, Load(*args.client, std::move(source)));
  return {};
}

void LoadedExecutable_Destroy(PJRT_LoadedExecutable_Destroy_Args& args) { delete args.executable; }

void LoadedExecutable_GetExecutable(PJRT_LoadedExecutable_GetExecutable_Args& args) {
  args.executable = new PJRT_Executable(args.loaded_executable->program);
}

void LoadedExecutable_AddressableDevices(PJRT_LoadedExecutable_AddressableDevices_Args& args) {
  SetList(args.executable->devices, args.addressable_devices, args.num_addressable_devices);
}

void LoadedExecutable_AddressableDeviceLogicalIds(PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args& args) {
  SetList(args.executable->logical_ids, args.addressable_device_logical_ids, args.num_addressable_device_logical_ids);
}

void LoadedExecutable_Delete(PJRT_LoadedExecutable_Delete_Args& args) { args.executable->is_deleted = true; }

void LoadedExecutable_IsDeleted(PJRT_LoadedExecutable_IsDeleted_Args& args) {
  args.is_deleted = args.executable->is_deleted;
}

void LoadedExecutable_Fingerprint(PJRT_LoadedExecutable_Fingerprint_Args& args) {
  SetList(args.executable->fingerprint, args.executable_fingerprint, args.executable_fingerprint_size);
}

Status LoadedExecutable_Execute(PJRT_LoadedExecutable_Execute_Args& args) {
  ASSAY_CHECK_OK(CheckArguments(args));
  ASSAY_TRY(DeviceValues values, ReadArguments(args));
  ASSAY_TRY(DeviceValues results, RunWithinLimits(*args.executable, std::move(values)));
  const std::vector<std::size_t>& kinds = args.executable->program->memory_kinds().results;
  const std::vector<ElementOrder>& layouts = args.executable->program->layouts().results;
  for (std::size_t device = 0; device < args.num_devices; ++device) {
    PJRT_Device& on = args.execute_device != nullptr ? *args.execute_device : *args.executable->devices[device];
    std::vector<Literal>& of_device = results[static_cast<std::int64_t>(device)];
    for (std::size_t i = 0; i < of_device.size(); ++i) {
      Unshare(of_device[i]);
      args.output_lists[device][i] =
          new PJRT_Buffer(std::move(of_device[i]), *on.memory_pointers[kinds[i]], layouts[i]);
    }
    if (args.device_complete_events != nullptr) args.device_complete_events[device] = new PJRT_Event();
  }
  return {};
}

}  // namespace assay::pjrt
