// What has been worked out for a module when it is compiled: its kernels, and what is left to the host.
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

// Whether the backend runs the module on the device at all. Modules of several devices, with arrays whose sizes are
// known at run time only, or that talk to their host, are the reference's as a whole.
bool IsForDevice(const HloModule& module);

// A kernel of the plan, loaded.
struct PlannedKernel {
  KernelProgram program;
  std::vector<std::shared_ptr<const LoadedKernel>> loaded;  // of each launch; null for a product
};

// One instruction that the reference evaluates.
struct HostInstruction {
  std::unique_ptr<const HloModule> module;
  PlannedModule planned;
};

class Replay;

class DeviceModule {
 public:
  ~DeviceModule();
  // A module that IsForDevice. The caller holds the device's mutex and has entered. Throws EvaluationError as PlanSet
  // does. A kernel that cannot be compiled is left to the host, and standard error says so once.
  static Result<std::unique_ptr<DeviceModule>> Plan(const HloModule& module, std::shared_ptr<Device> device,
                                                    Exactness exactness);

  Device& device() const { return *device_; }
  std::shared_ptr<Device> shared_device() const { return device_; }
  const HloModule& module() const { return *module_; }
  const PlanSet& plans() const { return *plans_; }
  // Whether any instruction runs on the device.
  bool HasKernels() const { return !kernels_.empty(); }

  // Null where the instruction has none.
  const PlannedKernel* KernelOf(const HloInstruction& instruction) const;
  Result<const HostInstruction*> OnHost(const HloInstruction& instruction);
  // The value of a constant; on the device it stays.
  const Value& ConstantOf(const HloInstruction& constant);
  // Arguments of the entry. One whose elements are the last run's is on the device still.
  std::vector<Value> Arguments(const std::vector<Literal>& literals);
  // From the second run on, where that is possible; else null.
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
    Literal literal;  // as long as it is here, nobody writes its elements
    Value value;
  };
  std::vector<Argument> last_arguments_;
  int runs_ = 0;
  std::unique_ptr<Replay> replay_;
};

}  // namespace assay::cuda
