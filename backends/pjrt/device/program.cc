#include "backends/pjrt/device/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace assay::pjrt {
namespace {

// Flags of XLA that are true or false, among those that programs pass to JAX.
constexpr std::string_view kTruthValues[] = {
    "xla_allow_excess_precision",  "xla_cpu_enable_fast_math",   "xla_cpu_enable_fast_min_max",
    "xla_dump_hlo_as_html",        "xla_dump_hlo_as_proto",      "xla_dump_hlo_as_text",
    "xla_embed_ir_in_executable",  "xla_enable_fast_math",       "xla_gpu_deterministic_ops",
    "xla_gpu_enable_fast_min_max", "xla_gpu_enable_triton_gemm", "xla_gpu_exclude_nondeterministic_ops",
};

// Checks options of the compiler in the words of XLA. None has an effect: assay changes no program.
Status CheckSettings(const CompileOptions& options) {
  for (const auto& [name, value] : options.settings) {
    if (!name.starts_with("xla_")) {
      return Error{ErrorCode::kInput,
                   fmt::format("No such compile option: '{}': expected a flag of XLA, xla_...", name)};
    }
    const bool is_truth_value = std::ranges::count(kTruthValues, name) > 0;
    if (is_truth_value && value != "true" && value != "false" && value != "True" && value != "False") {
      return Error{ErrorCode::kInput, fmt::format("compile option {}: '{}' is not a valid bool value.", name, value)};
    }
  }
  return {};
}

}  // namespace

Result<std::shared_ptr<const CompiledProgram>> CompiledProgram::Compile(ProgramSource source, Backend& engine) {
  ASSAY_TRY(WholeProgram whole, WholeProgram::Read(std::move(source)));
  ASSAY_CHECK_OK(CheckSettings(whole.options()));
  std::shared_ptr<CompiledProgram> program(new CompiledProgram(std::move(whole)));
  ASSAY_TRY(program->executable_, engine.Compile(program->module()));
  return std::shared_ptr<const CompiledProgram>(std::move(program));
}

Result<DeviceValues> CompiledProgram::Run(DeviceValues parts) const {
  ASSAY_TRY(const PerDevice<Literal> outputs, executable_->Run(JoinArguments(std::move(parts))));
  return SplitResults(outputs);
}

}  // namespace assay::pjrt
