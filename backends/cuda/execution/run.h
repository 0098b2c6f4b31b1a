// Runs a planned module once.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "backends/cuda/execution/planned_module.h"
#include "backends/cuda/execution/value.h"

namespace assay::cuda {

// The numbers of instructions that ran on the device and on the host, by op.
struct RunCounts {
  std::map<std::string_view, std::int64_t> on_device, on_host;
  std::int64_t doubtful = 0;  // elements whose rounding a kernel could not decide
};

class ModuleRun {
 public:
  // The caller must hold the device's mutex and must have called Enter.
  explicit ModuleRun(DeviceModule& module) : module_(module), device_(module.device()) {}

  // Returns the value of the entry computation. Errors are those of the device (kBackend, kLimit) and of the reference.
  Result<Literal> Evaluate(const std::vector<Literal>& arguments);

  // Like Evaluate, but on values and without the final copy to the host.
  Result<Value> Enqueue(std::vector<Value> arguments) { return Call(*module_.module().entry, std::move(arguments)); }
  // True if the instruction's value is its first operand's with another shape.
  static bool IsForwarded(const HloInstruction& instruction);

  const RunCounts& counts() const { return counts_; }

 private:
  Result<Value> Call(const HloComputation& computation, std::vector<Value> arguments);
  Result<Value> Execute(const PlanStep& step, std::vector<Value>& slots, std::vector<Value>& arguments);
  Result<Value> Repeat(const HloInstruction& loop, Value state);
  Result<Value> Choose(const HloInstruction& conditional, std::vector<Value> operands);
  Result<Value> Launch(const HloInstruction& instruction, const PlannedKernel& kernel, std::vector<Value> operands);
  Result<Value> EvaluateOnHost(const HloInstruction& instruction, const std::vector<Value>& operands);

  DeviceModule& module_;
  Device& device_;
  RunCounts counts_;
};

}  // namespace assay::cuda
