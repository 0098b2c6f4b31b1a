// A backend for tests of judging, with the outputs that the test names.
#pragma once

#include <memory>
#include <utility>

#include "backends/backend.h"
#include "interpreter/types/version.h"

namespace assay::testing {

// Returns the same outputs whatever it runs.
class ToldBackend final : public Backend {
 public:
  explicit ToldBackend(Literal output) : output_(std::move(output)) {}

  const BackendDescription& description() const override { return description_; }
  Result<std::unique_ptr<Executable>> Compile(const HloModule&) override {
    return std::unique_ptr<Executable>(std::make_unique<Told>(output_));
  }

 private:
  class Told final : public Executable {
   public:
    explicit Told(const Literal& output) : output_(output) {}
    Result<PerDevice<Literal>> Run(const DeviceValues&) override { return PerDevice<Literal>{output_}; }

   private:
    const Literal& output_;
  };

  const Literal output_;
  const BackendDescription description_ = {
      .name = "told", .version = kVersion, .max_devices = 1, .ops = {}, .types = {}};
};

}  // namespace assay::testing
