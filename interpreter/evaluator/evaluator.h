// Evaluates a computation, one instruction at a time, and returns the exact value of its root.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "interpreter/hlo/device.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/overrides.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/result.h"

namespace assay {

struct EvaluationLimits {
  std::int64_t steps = INT64_MAX;  // executed instructions, those of called computations included
  double seconds = 0;              // 0: no limit
  // The limit on the arrays that the evaluation has made and that are alive; its arguments do not count. INT64_MAX: the
  // limit of the process (MemoryUse::SetLimit), or 4 GiB if that has none.
  std::int64_t array_bytes = INT64_MAX;
};

// Called for every executed instruction that computes (not parameters, constants, or elements of tuples), in execution
// order, with its operands, its result, and the device. Not called inside scalar computations that run over whole
// vectors.
using EvaluationObserver =
    std::function<void(const HloInstruction&, std::span<const Literal> operands, const Literal& result, DeviceId)>;

// A call that leads to an executed instruction. `call` is the number of calls of `callee` that the same execution of
// `caller` has made before: the iteration of a loop, counted from 0.
struct CallStep {
  const HloInstruction* caller = nullptr;
  const HloComputation* callee = nullptr;
  std::int64_t call = 0;
};

// An execution for which an observer is called, with the calls that lead to it, the entry's first.
struct ExecutedInstruction {
  const HloInstruction& instruction;
  std::span<const Literal> operands;
  const Literal& result;
  DeviceId device;
  std::span<const CallStep> calls;
};
using ExecutionObserver = std::function<void(const ExecutedInstruction&)>;

using EvaluationDisturbance =
    std::function<void(const HloInstruction&, std::span<const Literal> operands, Literal& result, DeviceId)>;

struct EvaluationOptions {
  EvaluationLimits limits = {};
  EvaluationObserver observer = {};
  ExecutionObserver on_execution = {};  // called for the same instructions, after the observer
  // Changes results before they are used, for the instructions that the observer is called for.
  EvaluationDisturbance disturb = {};
  // The host's values for infeed and recv, for each device, in the order of use.
  DeviceValues from_host = {};
  // The initial state of rng and rng-get-and-update-state on every device: XLA's.
  std::array<std::uint64_t, 2> random_state = {0x7012395, 0};
};

// Returns the value of the entry computation. The module must have passed the verifier. `arguments` are checked against
// the parameters' shapes (layouts ignored). A dynamic dimension accepts any size up to its bound, and arrays of the
// result have their run-time sizes. Errors: kInput for arguments that do not fit, kUnsupported for an op that is not
// evaluated, kLimit.
Result<Literal> Evaluate(const HloModule& module, std::vector<Literal> arguments, const EvaluationOptions& options = {},
                         const OpOverrides& overrides = {});

struct DeviceOutputs {
  Literal output;
  std::vector<Literal> to_host;  // the operands of outfeed and send, in order
};

// Fails with kInput if a module takes another number of arguments.
Status CheckArgumentCount(const HloModule& module, std::size_t count);
// Checks the arguments of one device, and pads those below the bounds of their parameters. Fails with kInput if one has
// none of the possible shapes of its parameter.
Status FitArguments(const HloModule& module, std::vector<Literal>& arguments);

// The most devices that a run can have flows of control for; CheckDeviceCount fails with kLimit for more.
inline constexpr std::int64_t kMostDevices = 4096;
Status CheckDeviceCount(const HloModule& module);

// Evaluates the module on every device of the module's grid of replica_count x num_partitions (XLA, Operation
// Semantics: collectives, Send, Recv). With the arguments of a single device, evaluates that device alone; this works
// if the module does not depend on the others. kDeadlock if all remaining flows wait: the message names the waiting
// devices, their instructions and the missing devices. kInput if devices meet with different operations.
Result<PerDevice<DeviceOutputs>> EvaluateOnDevices(const HloModule& module, DeviceValues arguments,
                                                   const EvaluationOptions& options = {},
                                                   const OpOverrides& overrides = {});

class PlanSet;

// A module that is planned once and evaluated many times. Several threads may evaluate it at once.
class PlannedModule {
 public:
  // Plans a module. The module must have passed the verifier; it and the records of the overrides must outlive the
  // plan. Errors: kUnsupported for an op that is not evaluated, kLimit.
  static Result<PlannedModule> Plan(const HloModule& module, const OpOverrides& overrides = {});

  // Evaluates as EvaluateOnDevices does.
  Result<PerDevice<DeviceOutputs>> Evaluate(DeviceValues arguments, const EvaluationOptions& options = {}) const;

 private:
  PlannedModule(const HloModule& module, std::shared_ptr<const PlanSet> plans)
      : module_(&module), plans_(std::move(plans)) {}

  const HloModule* module_;
  std::shared_ptr<const PlanSet> plans_;
};

// Evaluates as EvaluateOnDevices does, with a result as OfAllDevices makes it.
Result<Literal> EvaluateTogether(const HloModule& module, DeviceValues arguments, const EvaluationOptions& options = {},
                                 const OpOverrides& overrides = {});
// Returns the results of the devices without their outputs to the host.
PerDevice<Literal> OutputsOf(PerDevice<DeviceOutputs> devices);

}  // namespace assay
