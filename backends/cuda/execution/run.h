// Runs a planned module once.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "backends/cuda/execution/planned_module.h"
#include "backends/cuda/execution/value.h"

namespace assay::cuda {

// What ran where: instructions of the module, by their op.
struct RunCounts {
  std::map<std::string_view, std::int64_t> on_device, on_host;
  std::int64_t doubtful = 0;  // elements that a kernel was not sure of
};

class ModuleRun {
 public:
  // The caller holds the device's mutex and has entered.
  explicit ModuleRun(DeviceModule& module) : module_(module), device_(module.device()) {}

  // The value of the entry computation. Errors: those of the device (kBackend, kLimit) and of the reference.
  Result<Literal> Evaluate(const std::vector<Literal>& arguments);

  // The same of values, without the one copy to the host at the end.
  Result<Value> Enqueue(std::vector<Value> arguments) { return Call(*module_.module().entry, std::move(arguments)); }
  // Whether an instruction's value is its first operand's, under its own shape.
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
