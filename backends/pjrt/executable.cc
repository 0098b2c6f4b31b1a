#include "backends/pjrt/executable.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "backends/pjrt/compile_options.h"
#include "backends/pjrt/entry.h"
#include "backends/pjrt/program_format.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/proto/hlo_proto.h"

namespace assay::pjrt {
namespace {

// Returns the error of a compilation. One about the format of the program is not about the module.
Error CompilationError(Error error, ProgramFormat format) {
  if (!RefusesFormat(error.message, format)) return error;
  return {ErrorCode::kUnsupported,
          fmt::format("the plugin does not compile the format {}: {}", FormatName(format), error.message)};
}

class PluginExecutable final : public Executable {
 public:
  PluginExecutable(const Host& host, const HloModule& module)
      : host_(host),
        device_count_(static_cast<std::size_t>(module.device_count())),
        parameters_(module.entry_parameter_layouts),
        result_(module.entry_result_layout) {}

  // Compiles the module. If its entry is not flat, compiles a module with the leaves of its values as its entry's.
  Status Compile(const HloModule& module, std::span<const CompilerSetting> settings);
  Result<PerDevice<Literal>> Run(const DeviceValues& inputs) override;

 private:
  using Buffers = std::vector<Owned<PJRT_Buffer>>;

  Result<PerDevice<Buffers>> CopyIn(const DeviceValues& inputs) const;
  Result<PerDevice<Buffers>> Execute(const PerDevice<Buffers>& arguments) const;
  Result<Literal> CopyOut(const Buffers& buffers) const;
  Status CompileIllegal(const HloModule& module, std::span<const CompilerSetting> settings);
  Status CompileFlat(const HloModule& module, std::span<const CompilerSetting> settings);
  Status CompileProgram(const HloModule& module, std::span<const CompilerSetting> settings);
  bool CompileSource(const HloModule& module, std::span<const CompilerSetting> settings);
  Status CompileCode(const HloModule& module, const std::string& code, ProgramFormat format,
                     std::span<const CompilerSetting> settings);
  Status CheckResultCount() const;

  const Host& host_;
  const std::size_t device_count_;
  // The values of the module's entry, with its layouts, and the arrays that the plugin has for them.
  const std::vector<Shape> parameters_;
  const Shape result_;
  std::vector<Shape> parameter_arrays_;
  std::vector<Shape> result_arrays_;
  Owned<PJRT_LoadedExecutable> loaded_;
};

Status PluginExecutable::Compile(const HloModule& module, std::span<const CompilerSetting> settings) {
  if (!VerifyHloModule(module)) return CompileIllegal(module, settings);
  if (HasFlatEntry(module)) return CompileSource(module, settings) ? Status() : CompileFlat(module, settings);
  ASSAY_TRY(const std::unique_ptr<HloModule> flat, WithFlatEntry(module));
  return CompileFlat(*flat, settings);
}

// The plugin must refuse the module as it is written, unless its error gets lost on the way.
Status PluginExecutable::CompileIllegal(const HloModule& module, std::span<const CompilerSetting> settings) {
  ASSAY_CHECK_OK(CompileFlat(module, settings));
  ASSAY_TRY(const std::string code, WriteProgram(module, ProgramFormat::kHlo));
  const Result<std::unique_ptr<HloModule>> sent = ReadHloModuleProto(code);
  if (sent && VerifyHloModule(**sent)) {
    return Error{ErrorCode::kUnsupported, "an illegal module that is legal as a HloModuleProto"};
  }
  if (HasFlatEntry(module)) return {};
  return Error{ErrorCode::kUnsupported, "an illegal module whose entry has tuples, tokens or run-time sizes"};
}

Status PluginExecutable::CompileFlat(const HloModule& module, std::span<const CompilerSetting> settings) {
  return host_.format == ProgramFormat::kHlo ? CompileProgram(module, settings)
                                             : CompileProgram(*WithDefaultEntryLayouts(module), settings);
}

// Compiles the StableHLO that a module was converted from, as it came. False if there is none, or if the plugin refuses
// it: a version or an operation that it does not know. The program of several partitions is that of all, and the module
// that of each.
bool PluginExecutable::CompileSource(const HloModule& module, std::span<const CompilerSetting> settings) {
  if (module.source == nullptr || module.num_partitions > 1) return false;
  const std::string* const source = SourceOf(module, PrintHloModule(module, PrintOptions::Exact()));
  return source && CompileCode(*WithDefaultEntryLayouts(module), *source, ProgramFormat::kMlir, settings);
}

// Compiles a module whose entry is flat, and has layouts that the host's format can say.
Status PluginExecutable::CompileProgram(const HloModule& module, std::span<const CompilerSetting> settings) {
  ASSAY_TRY(const std::string code, WriteProgram(module, host_.format));
  return CompileCode(module, code, host_.format, settings);
}

// Compiles a program in this format, which has the entry of the module.
Status PluginExecutable::CompileCode(const HloModule& module, const std::string& code, ProgramFormat format_of_code,
                                     std::span<const CompilerSetting> settings) {
  parameter_arrays_ = module.entry_parameter_layouts;
  const Shape& result = module.entry_result_layout;
  result_arrays_ = result.IsTuple() ? result.tuple_shapes() : std::vector<Shape>{result};
  const std::string options = WriteCompileOptions(module, std::span(host_.device_ids).first(device_count_), settings);
  const std::string_view format = FormatName(format_of_code);
  const PJRT_Program program = {
      .code = code.data(), .code_size = code.size(), .format = format.data(), .format_size = format.size()};
  PJRT_Client_Compile_Args args = {.client = host_.client,
                                   .program = &program,
                                   .compile_options = options.data(),
                                   .compile_options_size = options.size()};
  if (Status done = ASSAY_PJRT_CALL(host_.plugin, PJRT_Client_Compile, args); !done) {
    return CompilationError(std::move(done).error(), format_of_code);
  }
  if (args.executable == nullptr) return Error{ErrorCode::kBackend, "PJRT_Client_Compile returned no executable"};
  loaded_ = Owned<PJRT_LoadedExecutable>(args.executable, Destroyer{&host_.plugin});
  // A plugin may take an illegal module, which nothing has verified before.
  const std::vector<const HloInstruction*> parameters = module.entry->Parameters();
  if (parameters.size() != parameter_arrays_.size() || std::ranges::count(parameters, nullptr) > 0) {
    return Error{ErrorCode::kUnsupported, "entry_computation_layout does not have the parameters of the entry"};
  }
  return CheckResultCount();
}

// The lists of results have the length that the module says: a plugin with more would write behind their end.
Status PluginExecutable::CheckResultCount() const {
  PJRT_LoadedExecutable_GetExecutable_Args args = {.loaded_executable = loaded_.get()};
  ASSAY_CHECK_OK(ASSAY_PJRT_CALL(host_.plugin, PJRT_LoadedExecutable_GetExecutable, args));
  if (args.executable == nullptr) {
    return Error{ErrorCode::kBackend, "PJRT_LoadedExecutable_GetExecutable returned no executable"};
  }
  const Owned<PJRT_Executable> executable(args.executable, Destroyer{&host_.plugin});
  PJRT_Executable_NumOutputs_Args outputs = {.executable = executable.get()};
  ASSAY_CHECK_OK(ASSAY_PJRT_CALL(host_.plugin, PJRT_Executable_NumOutputs, outputs));
  if (outputs.num_outputs == result_arrays_.size()) return {};
  return Error{ErrorCode::kBackend, fmt::format("the plugin's executable must have {} results, found {}",
                                                result_arrays_.size(), outputs.num_outputs)};
}

Result<PerDevice<PluginExecutable::Buffers>> PluginExecutable::CopyIn(const DeviceValues& inputs) const {
  PerDevice<Buffers> buffers(static_cast<std::int64_t>(inputs.size()));
  for (std::size_t device = 0; device < inputs.size(); ++device) {
    const auto number = static_cast<std::int64_t>(device);
    std::vector<Literal> arrays;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      ASSAY_CHECK_OK(AppendLeaves(inputs[number][i], parameters_[i], arrays));
    }
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      ASSAY_TRY(Owned<PJRT_Buffer> buffer, CopyToDevice(host_, arrays[i], parameter_arrays_[i], host_.devices[device]));
      buffers[number].push_back(std::move(buffer));
    }
  }
  return buffers;
}

Result<PerDevice<PluginExecutable::Buffers>> PluginExecutable::Execute(const PerDevice<Buffers>& arguments) const {
  const std::size_t devices = device_count_;
  std::vector<std::vector<PJRT_Buffer*>> inputs(devices),
      outputs(devices, std::vector<PJRT_Buffer*>(result_arrays_.size()));
  std::vector<PJRT_Buffer* const*> input_lists;
  std::vector<PJRT_Buffer**> output_lists;
  for (std::size_t device = 0; device < devices; ++device) {
    for (const Owned<PJRT_Buffer>& argument : arguments[static_cast<std::int64_t>(device)]) {
      inputs[device].push_back(argument.get());
    }
    input_lists.push_back(inputs[device].data());
    output_lists.push_back(outputs[device].data());
  }
  std::vector<PJRT_Event*> events(devices);
  PJRT_ExecuteOptions options;
  PJRT_LoadedExecutable_Execute_Args args = {.executable = loaded_.get(),
                                             .options = &options,
                                             .argument_lists = input_lists.data(),
                                             .num_devices = devices,
                                             .num_args = parameter_arrays_.size(),
                                             .output_lists = output_lists.data(),
                                             .device_complete_events = events.data()};
  ASSAY_CHECK_OK(ASSAY_PJRT_CALL(host_.plugin, PJRT_LoadedExecutable_Execute, args));
  PerDevice<Buffers> results;
  for (const std::vector<PJRT_Buffer*>& of_device : outputs) {
    Buffers owned;
    for (PJRT_Buffer* buffer : of_device) owned.emplace_back(buffer, Destroyer{&host_.plugin});
    results.push_back(std::move(owned));
  }
  Status status;
  for (PJRT_Event* event : events) {
    Status of_device = Await(host_.plugin, event);
    if (status) status = std::move(of_device);
  }
  ASSAY_CHECK_OK(status);
  return results;
}

Result<Literal> PluginExecutable::CopyOut(const Buffers& buffers) const {
  std::vector<Literal> arrays;
  for (std::size_t i = 0; i < result_arrays_.size(); ++i) {
    ASSAY_TRY(Literal array, CopyToHost(host_, buffers[i].get(), result_arrays_[i]));
    arrays.push_back(std::move(array));
  }
  std::size_t next = 0;
  return JoinLeaves(result_, arrays, next);
}

Result<PerDevice<Literal>> PluginExecutable::Run(const DeviceValues& inputs) {
  ASSAY_TRY(const PerDevice<Buffers> arguments, CopyIn(inputs));
  ASSAY_TRY(const PerDevice<Buffers> results, Execute(arguments));
  PerDevice<Literal> values;
  for (const Buffers& of_device : results) {
    ASSAY_TRY(Literal value, CopyOut(of_device));
    values.push_back(std::move(value));
  }
  return values;
}

}  // namespace

Result<std::unique_ptr<Executable>> CompileForPlugin(const Host& host, const HloModule& module,
                                                     std::span<const CompilerSetting> settings) {
  auto executable = std::make_unique<PluginExecutable>(host, module);
  ASSAY_CHECK_OK(executable->Compile(module, settings));
  return std::unique_ptr<Executable>(std::move(executable));
}

}  // namespace assay::pjrt
