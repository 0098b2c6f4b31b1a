#include "interpreter/evaluator/evaluator.h"

#include <fmt/format.h>

#include "interpreter/evaluator/frame.h"
#include "interpreter/evaluator/least_memory.h"
#include "interpreter/evaluator/plan.h"
#include "interpreter/evaluator/run_time_sizes.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/without_throwing.h"

namespace assay {

Status CheckArgumentCount(const HloModule& module, std::size_t count) {
  const std::size_t parameters = module.entry->Parameters().size();
  if (count == parameters) return {};
  return Error{ErrorCode::kInput, fmt::format("the entry computation {} takes {} arguments, found {}",
                                              module.entry->name, parameters, count)};
}

Status FitArguments(const HloModule& module, std::vector<Literal>& arguments) {
  ASSAY_CHECK_OK(CheckArgumentCount(module, arguments.size()));
  const std::vector<const HloInstruction*> parameters = module.entry->Parameters();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (FitArgument(parameters[i]->shape, arguments[i])) continue;
    return Error{ErrorCode::kInput, fmt::format("argument {} has shape {}, parameter {} expects {}", i,
                                                arguments[i].shape().ToStringWithoutLayout(), parameters[i]->name,
                                                parameters[i]->shape.ToStringWithoutLayout())};
  }
  return {};
}

namespace {

Status FitAllArguments(const HloModule& module, DeviceValues& arguments) {
  ASSAY_CHECK_OK(CheckDeviceCount(module));
  const auto count = static_cast<std::int64_t>(arguments.size());
  if (count != 1 && count != module.device_count()) {
    return Error{ErrorCode::kInput, fmt::format("{} replicas of {} partitions need as many argument lists, found {}",
                                                module.replica_count, module.num_partitions, count)};
  }
  for (std::vector<Literal>& list : arguments) ASSAY_CHECK_OK(FitArguments(module, list));
  return {};
}

std::int64_t BytesOf(const DeviceValues& arguments) {
  std::int64_t bytes = 0;
  for (const std::vector<Literal>& list : arguments) {
    for (const Literal& value : list) bytes += value.total_byte_size();
  }
  return bytes;
}

// Returns the root's value after waiting for its pending parts.
Literal Kept(const HloInstruction& root, Literal value, Device& device) {
  for (Literal& element : value.mutable_elements()) element = Kept(root, std::move(element), device);
  return value.promise() == nullptr ? value : device.Await(root, value);
}

}  // namespace

Result<Literal> Evaluate(const HloModule& module, std::vector<Literal> arguments, const EvaluationOptions& options,
                         const OpOverrides& overrides) {
  DeviceValues of_one;
  of_one.push_back(std::move(arguments));
  ASSAY_TRY(PerDevice<DeviceOutputs> outputs, EvaluateOnDevices(module, std::move(of_one), options, overrides));
  return std::move(outputs[0].output);
}

Status CheckDeviceCount(const HloModule& module) {
  std::int64_t devices = 0;
  const bool overflow = __builtin_mul_overflow(module.replica_count, module.num_partitions, &devices);
  if (!overflow && devices <= kMostDevices) return {};
  return Error{ErrorCode::kLimit, fmt::format("{} replicas of {} partitions are more than {} devices",
                                              module.replica_count, module.num_partitions, kMostDevices)};
}

Result<PlannedModule> PlannedModule::Plan(const HloModule& module, const OpOverrides& overrides) {
  return WithoutThrowing([&]() -> Result<PlannedModule> {
    const DefaultFloatEnvironment environment;
    return PlannedModule(module, std::make_shared<const PlanSet>(module, overrides));
  });
}

Result<PerDevice<DeviceOutputs>> EvaluateOnDevices(const HloModule& module, DeviceValues arguments,
                                                   const EvaluationOptions& options, const OpOverrides& overrides) {
  ASSAY_TRY(const PlannedModule planned, PlannedModule::Plan(module, overrides));
  return planned.Evaluate(std::move(arguments), options);
}

Result<PerDevice<DeviceOutputs>> PlannedModule::Evaluate(DeviceValues arguments,
                                                         const EvaluationOptions& options) const {
  const HloModule& module = *module_;
  ASSAY_CHECK_OK(FitAllArguments(module, arguments));
  const auto count = static_cast<std::int64_t>(arguments.size());
  return WithoutThrowing([&]() -> Result<PerDevice<DeviceOutputs>> {
    const DefaultFloatEnvironment environment;
    DeviceGrid grid(count == 1 ? 1 : module.replica_count, count == 1 ? 1 : module.num_partitions);
    const TimeLimit time(options.limits.seconds);
    const ArrayLimit memory(options.limits.array_bytes);
    CheckRoomFor(plans_->least_bytes_of_entry() - BytesOf(arguments));
    Run run{*plans_, options, grid};
    PerDevice<DeviceOutputs> outputs(count);
    for (std::int64_t i = 0; i < count; ++i) {
      DeviceState& device = grid.devices()[i];
      device.random_state = options.random_state;
      device.unended_flows = 1;
      if (i < static_cast<std::int64_t>(options.from_host.size())) {
        device.from_host.assign(options.from_host[i].begin(), options.from_host[i].end());
      }
      grid.flows().Add([&, i] {
        return WithoutThrowing([&]() -> Status {
          RunningDevice flow(run, grid.devices()[i]);
          outputs[i].output =
              ToHost(Kept(*module.entry->root, flow.Call(*module.entry, std::move(arguments[i])), flow));
          --grid.devices()[i].unended_flows;
          return {};
        });
      });
    }
    ASSAY_CHECK_OK(grid.flows().Run());
    for (std::int64_t i = 0; i < count; ++i) {
      for (Literal& value : grid.devices()[i].to_host) outputs[i].to_host.push_back(ToHost(std::move(value)));
    }
    return outputs;
  });
}

PerDevice<Literal> OutputsOf(PerDevice<DeviceOutputs> devices) {
  PerDevice<Literal> outputs;
  for (DeviceOutputs& device : devices) outputs.push_back(std::move(device.output));
  return outputs;
}

Result<Literal> EvaluateTogether(const HloModule& module, DeviceValues arguments, const EvaluationOptions& options,
                                 const OpOverrides& overrides) {
  ASSAY_TRY(PerDevice<DeviceOutputs> devices, EvaluateOnDevices(module, std::move(arguments), options, overrides));
  return OfAllDevices(OutputsOf(std::move(devices)));
}

}  // namespace assay
