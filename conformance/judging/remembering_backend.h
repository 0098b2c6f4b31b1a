// A backend that caches results, for a caller that makes the same request several times.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "backends/backend.h"

namespace assay {

// Compiles and runs a module once for each of its texts and inputs. Not thread-safe.
class RememberingBackend final : public Backend {
 public:
  // `backend` must outlive this object, and this object its executables.
  explicit RememberingBackend(Backend& backend) : backend_(backend) {}

  const BackendDescription& description() const override { return backend_.description(); }
  // Always succeeds. The executable reports errors of the compiler.
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
