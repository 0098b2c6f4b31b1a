// The executions of instructions that compute something themselves: what a trace looks at.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/device.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

struct Execution {
  const HloInstruction* instruction = nullptr;
  DeviceId device;
  std::vector<CallStep> calls;
  std::int64_t index = 0;  // the number of instructions executed before
  std::vector<Literal>
      operands;  // of a collective those of all devices; of the end of an asynchronous pair its start's
  Literal result;
  bool comes_from_outside = false;  // a value of the host, or of a device that does not execute this instruction
};

// Passes on the executions of a run, except those of instructions that only build tuples, take their elements or start
// asynchronous work, and those of calls whose instructions were seen themselves. A collective is passed on once all
// devices have executed it, or at the end.
class OwnWork {
 public:
  OwnWork(const HloModule& module, std::function<void(Execution)> take) : module_(module), take_(std::move(take)) {}

  // An ExecutionObserver.
  void Observe(const ExecutedInstruction& executed);
  // Ends a run: passes on the collectives that some devices have not executed.
  void End();

  std::int64_t executed() const { return executed_; }

 private:
  using OnDevice = std::pair<std::int64_t, const HloInstruction*>;

  void Meet(std::vector<Execution>& met);

  const HloModule& module_;
  const std::function<void(Execution)> take_;
  std::int64_t executed_ = 0;
  std::set<OnDevice> seen_inside_;  // calls whose instructions were seen
  std::map<OnDevice, std::vector<Literal>> started_;
  std::map<const HloInstruction*, std::vector<Execution>> meetings_;
};

}  // namespace assay
