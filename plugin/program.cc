#include "plugin/program.h"

namespace assay::pjrt {

Result<std::shared_ptr<const CompiledProgram>> CompiledProgram::Compile(ProgramSource source, Backend& engine) {
  ASSAY_TRY(WholeProgram whole, WholeProgram::Read(std::move(source)));
  std::shared_ptr<CompiledProgram> program(new CompiledProgram(std::move(whole)));
  ASSAY_TRY(program->executable_, engine.Compile(program->module()));
  return std::shared_ptr<const CompiledProgram>(std::move(program));
}

Result<DeviceValues> CompiledProgram::Run(DeviceValues parts) const {
  ASSAY_TRY(const PerDevice<Literal> outputs, executable_->Run(JoinArguments(std::move(parts))));
  return SplitResults(outputs);
}

}  // namespace assay::pjrt
