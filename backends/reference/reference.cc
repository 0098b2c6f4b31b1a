#include "backends/reference/reference.h"

#include <fmt/format.h>

#include "backends/kind.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/version.h"

namespace assay {
namespace {

class ReferenceExecutable final : public Executable {
 public:
  // `kept` is the module if the executable owns it.
  ReferenceExecutable(PlannedModule planned, std::unique_ptr<const HloModule> kept)
      : kept_(std::move(kept)), planned_(std::move(planned)) {}

  Result<PerDevice<Literal>> Run(const DeviceValues& inputs) override {
    ASSAY_TRY(PerDevice<DeviceOutputs> devices, planned_.Evaluate(inputs));
    return OutputsOf(std::move(devices));
  }

 private:
  std::unique_ptr<const HloModule> kept_;
  PlannedModule planned_;
};

}  // namespace

ReferenceBackend::ReferenceBackend(std::string name, OpOverrides overrides,
                                   std::optional<std::vector<std::string>> accelerated_ops)
    : description_{.name = std::move(name),
                   .version = kVersion,
                   .max_devices = kMostDevices,
                   .ops = {},
                   .types = {},
                   .accelerated_ops = std::move(accelerated_ops)},
      overrides_(std::move(overrides)) {
  // Other backends built on this one have a different host, or none.
  if (description_.name.starts_with("reference")) description_.bodies = &overrides_;
}

Result<std::unique_ptr<Executable>> ReferenceBackend::Compile(const HloModule& module) {
  ASSAY_TRY(PlannedModule planned, PlannedModule::Plan(module, overrides_));
  return std::unique_ptr<Executable>(std::make_unique<ReferenceExecutable>(std::move(planned), nullptr));
}

Result<std::unique_ptr<Executable>> ReferenceBackend::Compile(std::unique_ptr<const HloModule> module) {
  ASSAY_TRY(PlannedModule planned, PlannedModule::Plan(*module, overrides_));
  return std::unique_ptr<Executable>(std::make_unique<ReferenceExecutable>(std::move(planned), std::move(module)));
}

const BackendKind backend_reference = {
    .name = "reference",
    .form = "reference[:plain]",
    .open = [](std::optional<std::string_view> argument, double) -> Result<std::unique_ptr<Backend>> {
      if (!argument) return std::unique_ptr<Backend>(std::make_unique<ReferenceBackend>());
      if (*argument == "plain") {
        return std::unique_ptr<Backend>(std::make_unique<ReferenceBackend>("reference:plain", Definitions()));
      }
      return Error{ErrorCode::kUsage,
                   fmt::format("unknown form reference:{}: expected reference or reference:plain", *argument)};
    },
};

}  // namespace assay
