// Walks a computation, one instruction at a time, and returns the exact value of its root.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "interpreter/hlo/device.h"
#include "interpreter/hlo/module.h"
#include "interpreter/kernels/overrides.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/result.h"

namespace assay {

struct EvaluationLimits {
  std::int64_t steps = INT64_MAX;  // executed instructions, those of called computations included
  double seconds = 0;              // 0: no limit
  // Of the arrays that are there at a time and were made by the evaluation; its arguments are the caller's.
  // INT64_MAX: the limit of the process (MemoryUse::SetLimit), or 4 GiB where it has none.
  std::int64_t array_bytes = INT64_MAX;
};

// Sees every executed instruction that computes (no parameters, constants, elements of tuples) with its operands and
// its result, in execution order, and the device; not those inside scalar computations that run over whole vectors.
using EvaluationObserver =
    std::function<void(const HloInstruction&, std::span<const Literal> operands, const Literal& result, DeviceId)>;

using EvaluationDisturbance =
    std::function<void(const HloInstruction&, std::span<const Literal> operands, Literal& result)>;

struct EvaluationOptions {
  EvaluationLimits limits = {};
  EvaluationObserver observer = {};
  // Changes results before they are used, of the instructions that the observer would see.
  EvaluationDisturbance disturb = {};
  // What the host has for infeed and recv, for each device, in the order in which it takes them.
  DeviceValues from_host = {};
  // The state that rng and rng-get-and-update-state find first, on every device: XLA's.
  std::array<std::uint64_t, 2> random_state = {0x7012395, 0};
};

// The value of the entry computation. The module must have passed the verifier. `arguments` are checked against the
// parameters' shapes (layouts ignored); for a dynamic dimension any size up to its bound will do, and arrays of the
// result have their run-time sizes. Errors: kInput for unfit arguments, kUnsupported for an op that is not
// evaluated, kLimit.
Result<Literal> Evaluate(const HloModule& module, std::vector<Literal> arguments, const EvaluationOptions& options = {},
                         const OpOverrides& overrides = {});

struct DeviceOutputs {
  Literal output;
  std::vector<Literal> to_host;  // what outfeed and send gave, in this order
};

// kLimit for a module that runs on more devices than a process can have flows of control.
inline constexpr std::int64_t kMostDevices = 4096;
Status CheckDeviceCount(const HloModule& module);

// The same on every device of a grid of replica_count x num_partitions of the module (the specification: collectives,
// send, recv). With the arguments of a single device, that one runs the module of more, if it does not ask for the
// others. kDeadlock when all that is left waits: the message says who, where and for whom. kInput when devices meet
// with different operations.
Result<PerDevice<DeviceOutputs>> EvaluateOnDevices(const HloModule& module, DeviceValues arguments,
                                                   const EvaluationOptions& options = {},
                                                   const OpOverrides& overrides = {});

class PlanSet;

// A module that has been planned once, to be evaluated many times, by several threads at once if need be.
class PlannedModule {
 public:
  // The module must have passed the verifier and outlive the plan, and so must the records of the overrides. Errors:
  // kUnsupported for an op that is not evaluated, kLimit.
  static Result<PlannedModule> Plan(const HloModule& module, const OpOverrides& overrides = {});

  // As EvaluateOnDevices.
  Result<PerDevice<DeviceOutputs>> Evaluate(DeviceValues arguments, const EvaluationOptions& options = {}) const;

 private:
  PlannedModule(const HloModule& module, std::shared_ptr<const PlanSet> plans)
      : module_(&module), plans_(std::move(plans)) {}

  const HloModule* module_;
  std::shared_ptr<const PlanSet> plans_;
};

// EvaluateOnDevices with a result as OfAllDevices makes it.
Result<Literal> EvaluateTogether(const HloModule& module, DeviceValues arguments, const EvaluationOptions& options = {},
                                 const OpOverrides& overrides = {});
// The results of devices alone, without what they gave the host.
PerDevice<Literal> OutputsOf(PerDevice<DeviceOutputs> devices);

}  // namespace assay
