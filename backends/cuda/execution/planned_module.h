// The compiled form of a module: its kernels, and the instructions that the host evaluates.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "backends/cuda/device/device.h"
#include "backends/cuda/execution/fuse.h"
#include "backends/cuda/execution/value.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/evaluator/plan.h"
#include "interpreter/hlo/module.h"

namespace assay::cuda {

// True if the backend runs the module on the device. The reference evaluates whole modules that have several devices,
// arrays with run-time sizes, or communication with their host.
bool IsForDevice(const HloModule& module);

// A kernel of the plan, loaded.
struct PlannedKernel {
  KernelProgram program;
  std::vector<std::shared_ptr<const LoadedKernel>> loaded;  // of each launch; null for a library's product
};

// An instruction that the reference evaluates.
struct HostInstruction {
  std::unique_ptr<const HloModule> module;
  PlannedModule planned;
};

class Replay;

class DeviceModule {
 public:
  ~DeviceModule();
  // Plans a module for which IsForDevice is true. The caller holds the device's mutex and has called Enter. Throws
  // EvaluationError as PlanSet does. The host evaluates an instruction whose kernel does not compile, and standard
  // error has a note about it.
  static Result<std::unique_ptr<DeviceModule>> Plan(const HloModule& module, std::shared_ptr<Device> device,
                                                    Exactness exactness);

  Device& device() const { return *device_; }
  std::shared_ptr<Device> shared_device() const { return device_; }
  const HloModule& module() const { return *module_; }
  const PlanSet& plans() const { return *plans_; }
  // True if any instruction runs on the device.
  bool HasKernels() const { return !kernels_.empty(); }

  // Returns the kernel of an instruction; null if it has none.
  const PlannedKernel* KernelOf(const HloInstruction& instruction) const;
  Result<const HostInstruction*> OnHost(const HloInstruction& instruction);
  // Returns the value of a constant, which stays on the device.
  const Value& ConstantOf(const HloInstruction& constant);
  // Returns the arguments of the entry. An argument with the elements of the last run is still on the device.
  std::vector<Value> Arguments(const std::vector<Literal>& literals);
  // Returns the recorded run, from the second run on; null if recording is not possible.
  Result<Replay*> ReplayOf(const std::vector<Literal>& arguments);

 private:
  DeviceModule(std::unique_ptr<HloModule> module, std::shared_ptr<Device> device);
  Status Load(const HloInstruction& fusion, const KernelKind& kind);

  std::unique_ptr<HloModule> module_;
  std::shared_ptr<Device> device_;
  std::unique_ptr<PlanSet> plans_;
  std::unordered_map<const HloInstruction*, PlannedKernel> kernels_;
  std::unordered_map<const HloInstruction*, HostInstruction> on_host_;
  std::unordered_map<const HloInstruction*, Value> constants_;
  struct Argument {
    Literal literal;  // keeps the elements from being overwritten
    Value value;
  };
  std::vector<Argument> last_arguments_;
  int runs_ = 0;
  std::unique_ptr<Replay> replay_;
};

}  // namespace assay::cuda
