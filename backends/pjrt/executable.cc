#include "backends/pjrt/executable.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "backends/pjrt/compile_options.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/sharding_text.h"
#include "interpreter/proto/hlo_proto.h"

namespace assay::pjrt {
namespace {

// Calls `use` for each array and token of a shape, in order.
template <class Use>
void VisitLeaves(const Shape& shape, const Use& use) {
  if (!shape.IsTuple()) return use(shape);
  for (const Shape& element : shape.tuple_shapes()) VisitLeaves(element, use);
}

// kUnsupported for a value at the entry that this host does not hand over.
Status CheckEntryValue(const Shape& shape, std::string_view what) {
  Status status;
  VisitLeaves(shape, [&](const Shape& leaf) {
    if (leaf.IsFixedArray()) return;
    status = Error{ErrorCode::kUnsupported,
                   fmt::format("the host of PJRT plugins has no {} of shape {}", what, shape.ToStringWithoutLayout())};
  });
  return status;
}

// The module as XLA reads it. One for several partitions is what each of them runs: shardings that say so keep XLA's
// partitioner from dividing it again.
std::string Serialize(const HloModule& module) {
  if (module.num_partitions == 1) return WriteHloModuleProto(module);
  const std::unique_ptr<HloModule> copy = CloneModule(module);
  for (const auto& computation : copy->computations) {
    for (const auto& instruction : computation->instructions) {
      instruction->annotations["sharding"] = ForEachLeaf("{manual}", instruction->shape);
    }
  }
  return WriteHloModuleProto(*copy);
}

class PluginExecutable final : public Executable {
 public:
  PluginExecutable(const Host& host, const HloModule& module)
      : host_(host),
        device_count_(static_cast<std::size_t>(module.device_count())),
        parameters_(module.entry_parameter_layouts),
        result_(module.entry_result_layout) {}

  Status Compile(const HloModule& module, std::span<const CompilerSetting> settings);
  Result<PerDevice<Literal>> Run(const DeviceValues& inputs) override;

 private:
  using Buffers = std::vector<Owned<PJRT_Buffer>>;

  Result<PerDevice<Buffers>> CopyIn(const DeviceValues& inputs) const;
  Result<PerDevice<Buffers>> Execute(const PerDevice<Buffers>& arguments) const;
  Result<Literal> CopyOut(const Buffers& buffers) const;
  Result<Literal> CopyOut(const Shape& shape, const Buffers& buffers, std::size_t& next) const;
  Status CheckResultCount() const;

  const Host& host_;
  const std::size_t device_count_;
  // With the layouts of the entry.
  const std::vector<Shape> parameters_;
  const Shape result_;
  std::size_t result_count_ = 0;
  Owned<PJRT_LoadedExecutable> loaded_;
};

Status PluginExecutable::Compile(const HloModule& module, std::span<const CompilerSetting> settings) {
  for (const Shape& parameter : parameters_) {
    ASSAY_CHECK_OK(CheckEntryValue(parameter, "parameters"));
    if (parameter.IsTuple()) return Error{ErrorCode::kUnsupported, "the host of PJRT plugins has no tuple parameters"};
  }
  ASSAY_CHECK_OK(CheckEntryValue(result_, "results"));
  if (result_.IsTuple() && std::ranges::any_of(result_.tuple_shapes(), &Shape::IsTuple)) {
    return Error{ErrorCode::kUnsupported, "PJRT has no results of nested tuples: " + result_.ToStringWithoutLayout()};
  }
  VisitLeaves(result_, [&](const Shape&) { ++result_count_; });
  const std::string code = Serialize(module);
  const std::string options = WriteCompileOptions(module, std::span(host_.device_ids).first(device_count_), settings);
  constexpr std::string_view kFormat = "hlo";
  const PJRT_Program program = {
      .code = code.data(), .code_size = code.size(), .format = kFormat.data(), .format_size = kFormat.size()};
  PJRT_Client_Compile_Args args = {.client = host_.client,
                                   .program = &program,
                                   .compile_options = options.data(),
                                   .compile_options_size = options.size()};
  ASSAY_CHECK_OK(ASSAY_PJRT_CALL(host_.plugin, PJRT_Client_Compile, args));
  loaded_ = Owned<PJRT_LoadedExecutable>(args.executable, Destroyer{&host_.plugin});
  // A plugin may take an illegal module, which nothing has verified before.
  const std::vector<const HloInstruction*> parameters = module.entry->Parameters();
  if (parameters.size() != parameters_.size() || std::ranges::count(parameters, nullptr) > 0) {
    return Error{ErrorCode::kUnsupported, "entry_computation_layout does not have the parameters of the entry"};
  }
  return CheckResultCount();
}

// The lists of results have the length that the module says: a plugin with more would write behind their end.
Status PluginExecutable::CheckResultCount() const {
  PJRT_LoadedExecutable_GetExecutable_Args args = {.loaded_executable = loaded_.get()};
  ASSAY_CHECK_OK(ASSAY_PJRT_CALL(host_.plugin, PJRT_LoadedExecutable_GetExecutable, args));
  const Owned<PJRT_Executable> executable(args.executable, Destroyer{&host_.plugin});
  PJRT_Executable_NumOutputs_Args outputs = {.executable = executable.get()};
  ASSAY_CHECK_OK(ASSAY_PJRT_CALL(host_.plugin, PJRT_Executable_NumOutputs, outputs));
  if (outputs.num_outputs == result_count_) return {};
  return Error{ErrorCode::kBackend, fmt::format("the plugin's executable must have {} results, found {}", result_count_,
                                                outputs.num_outputs)};
}

Result<PerDevice<PluginExecutable::Buffers>> PluginExecutable::CopyIn(const DeviceValues& inputs) const {
  PerDevice<Buffers> buffers(static_cast<std::int64_t>(inputs.size()));
  for (std::size_t device = 0; device < inputs.size(); ++device) {
    const auto number = static_cast<std::int64_t>(device);
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      ASSAY_TRY(Owned<PJRT_Buffer> buffer,
                CopyToDevice(host_, inputs[number][i], parameters_[i], host_.devices[device]));
      buffers[number].push_back(std::move(buffer));
    }
  }
  return buffers;
}

Result<PerDevice<PluginExecutable::Buffers>> PluginExecutable::Execute(const PerDevice<Buffers>& arguments) const {
  const std::size_t devices = device_count_;
  std::vector<std::vector<PJRT_Buffer*>> inputs(devices), outputs(devices, std::vector<PJRT_Buffer*>(result_count_));
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
                                             .num_args = parameters_.size(),
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
  std::size_t next = 0;
  return CopyOut(result_, buffers, next);
}

// Copies the arrays of a shape, of which `next` is the number of the first one among the buffers.
Result<Literal> PluginExecutable::CopyOut(const Shape& shape, const Buffers& buffers, std::size_t& next) const {
  if (!shape.IsTuple()) return CopyToHost(host_, buffers[next++].get(), shape);
  std::vector<Literal> elements;
  for (const Shape& element : shape.tuple_shapes()) {
    ASSAY_TRY(Literal literal, CopyOut(element, buffers, next));
    elements.push_back(std::move(literal));
  }
  return Literal::MakeTuple(std::move(elements));
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
