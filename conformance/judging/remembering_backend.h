// A backend whose answers are kept, for a caller that asks the same thing several times.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "backends/backend.h"

namespace assay {

// Compiles and runs a module once for each of its texts and inputs. For one thread.
class RememberingBackend final : public Backend {
 public:
  // `backend` must outlive this, and this its executables.
  explicit RememberingBackend(Backend& backend) : backend_(backend) {}

  const BackendDescription& description() const override { return backend_.description(); }
  // Errors of the compiler are those of the executable.
  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override;

 private:
  struct Run {
    DeviceValues inputs;
    Result<PerDevice<Literal>> outputs;
  };
  class Remembered;

  Backend& backend_;
  std::map<std::string, std::vector<Run>> runs_;  // by the text of the module
};

}  // namespace assay
