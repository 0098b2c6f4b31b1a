// A program as the framework sends it, compiled for an engine.
#pragma once

#include <memory>

#include "backends/backend.h"
#include "backends/pjrt/device/whole_program.h"

namespace assay::pjrt {

class CompiledProgram : public WholeProgram {
 public:
  static Result<std::shared_ptr<const CompiledProgram>> Compile(ProgramSource source, Backend& engine);

  // Runs the program: one list of parts for each device, in the order of flattened ids.
  Result<DeviceValues> Run(DeviceValues parts) const;

 private:
  explicit CompiledProgram(WholeProgram program) : WholeProgram(std::move(program)) {}

  std::unique_ptr<assay::Executable> executable_;
};

}  // namespace assay::pjrt
