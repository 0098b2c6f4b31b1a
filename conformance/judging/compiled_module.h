// A module together with its executable on a backend.
#pragma once

#include <memory>
#include <vector>

#include "backends/backend.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/per_device.h"

namespace assay {

class CompiledModule {
 public:
  // The backend must outlive this.
  CompiledModule(Backend& backend, std::unique_ptr<HloModule> module)
      : backend_(&backend), module_(std::move(module)) {}

  const HloModule& module() const { return *module_; }

  // Runs the module like Executable::Run. The first call compiles it; if that fails, the next call tries again.
  Result<PerDevice<Literal>> Run(const DeviceValues& inputs) {
    if (executable_ == nullptr) {
      ASSAY_TRY(executable_, backend_->Compile(*module_));
    }
    return executable_->Run(inputs);
  }

 private:
  Backend* backend_;
  std::unique_ptr<HloModule> module_;
  std::unique_ptr<Executable> executable_;  // destroyed before the module
};

}  // namespace assay
