// The backend `cuda`: kernels generated for each module, on the first CUDA device of the machine. The reference
// evaluates what has no kernel.
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "backends/cuda/device/device.h"
#include "backends/cuda/execution/planned_module.h"
#include "backends/cuda/execution/run.h"
#include "backends/cuda/kernels/kind.h"
#include "backends/kind.h"
#include "backends/reference/reference.h"
#include "interpreter/types/version.h"

namespace assay {
namespace {

// Appends a line of JSON for each run: the ops that ran on the device and on the host.
Status WriteCounts(const char* file, const cuda::RunCounts& counts, double kernel_seconds) {
  const auto listed = [](const std::map<std::string_view, std::int64_t>& ops) {
    std::string list;
    for (const auto& [op, count] : ops) list += fmt::format("{}\"{}\": {}", list.empty() ? "" : ", ", op, count);
    return list;
  };
  const std::string line =
      fmt::format("{{\"device\": {{{}}}, \"host\": {{{}}}, \"doubtful\": {}, \"kernel_seconds\": {:.9f}}}\n",
                  listed(counts.on_device), listed(counts.on_host), counts.doubtful, kernel_seconds);
  if (!(std::ofstream(file, std::ios::app) << line << std::flush)) {
    return Error{ErrorCode::kIo, fmt::format("ASSAY_CUDA_LOG: cannot write {}", file)};
  }
  return {};
}

class CudaExecutable final : public Executable {
 public:
  explicit CudaExecutable(std::unique_ptr<cuda::DeviceModule> module) : module_(std::move(module)) {}
  // Frees the module's memory with the device's mutex held and its context current. A lost device frees nothing.
  ~CudaExecutable() override {
    const std::shared_ptr<cuda::Device> device = module_->shared_device();
    const std::lock_guard lock(device->mutex());
    (void)device->Enter();
    module_.reset();
  }
  CudaExecutable(const CudaExecutable&) = delete;
  CudaExecutable& operator=(const CudaExecutable&) = delete;

  Result<PerDevice<Literal>> Run(const DeviceValues& inputs) override {
    ASSAY_CHECK_OK(CheckArguments(inputs));
    cuda::Device& device = module_->device();
    const std::lock_guard lock(device.mutex());
    ASSAY_CHECK_OK(device.Enter());
    cuda::ModuleRun run(*module_);
    const char* log = std::getenv("ASSAY_CUDA_LOG");
    if (log != nullptr && *log == 0) log = nullptr;
    if (log != nullptr) device.StartTiming();
    ASSAY_TRY(Literal output, run.Evaluate(inputs[0]));
    if (log != nullptr) {
      ASSAY_TRY(const double kernel_seconds, device.EndTiming());
      ASSAY_CHECK_OK(WriteCounts(log, run.counts(), kernel_seconds));
    }
    PerDevice<Literal> outputs;
    outputs.push_back(std::move(output));
    return outputs;
  }

 private:
  Status CheckArguments(const DeviceValues& inputs) const {
    const std::vector<const HloInstruction*> parameters = module_->module().entry->Parameters();
    if (inputs.size() != 1 || inputs[0].size() != parameters.size()) {
      return Error{ErrorCode::kInput, fmt::format("the entry computation takes {} arguments on one device, found {}",
                                                  parameters.size(), inputs.empty() ? 0 : inputs[0].size())};
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (ShapeUtil::Compatible(inputs[0][i].shape(), parameters[i]->shape)) continue;
      return Error{ErrorCode::kInput, fmt::format("argument {} has shape {}, parameter {} expects {}", i,
                                                  inputs[0][i].shape().ToStringWithoutLayout(), parameters[i]->name,
                                                  parameters[i]->shape.ToStringWithoutLayout())};
    }
    return {};
  }

  std::unique_ptr<cuda::DeviceModule> module_;
};

class CudaBackend final : public Backend {
 public:
  CudaBackend(std::shared_ptr<cuda::Device> device, cuda::Exactness exactness)
      : device_(std::move(device)), exactness_(exactness) {
    description_ = reference_.description();
    description_.bodies = nullptr;
    description_.name = exactness == cuda::Exactness::kExact ? "cuda:exact" : "cuda";
    description_.version = fmt::format("{} on {} ({}), NVRTC {}", kVersion, device_->name(), device_->architecture(),
                                       device_->nvrtc().version());
    description_.accelerated_ops.emplace();
    for (const std::string_view op : cuda::AcceleratedOps()) description_.accelerated_ops->emplace_back(op);
  }

  const BackendDescription& description() const override { return description_; }

  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override {
    if (cuda::IsForDevice(module)) {
      const std::lock_guard lock(device_->mutex());
      ASSAY_CHECK_OK(device_->Enter());
      ASSAY_TRY(std::unique_ptr<cuda::DeviceModule> planned, cuda::DeviceModule::Plan(module, device_, exactness_));
      if (planned->HasKernels()) {
        return std::unique_ptr<Executable>(std::make_unique<CudaExecutable>(std::move(planned)));
      }
    }
    return reference_.Compile(module);
  }

 private:
  std::shared_ptr<cuda::Device> device_;
  cuda::Exactness exactness_;
  ReferenceBackend reference_;
  BackendDescription description_;
};

}  // namespace

const BackendKind backend_cuda = {
    .name = "cuda",
    .form = "cuda[:exact]",
    .profile = "cuda",
    .open = [](std::optional<std::string_view> argument, double) -> Result<std::unique_ptr<Backend>> {
      if (argument && *argument != "exact") {
        return Error{ErrorCode::kUsage,
                     fmt::format("the backend cuda may have :exact behind it, found :{}", *argument)};
      }
      ASSAY_TRY(std::shared_ptr<cuda::Device> device, cuda::Device::Open());
      return std::unique_ptr<Backend>(std::make_unique<CudaBackend>(
          std::move(device), argument ? cuda::Exactness::kExact : cuda::Exactness::kStated));
    },
};

}  // namespace assay
