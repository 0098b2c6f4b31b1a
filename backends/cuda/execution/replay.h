// Replay of a module: its launches are recorded once and submitted to the device as one.
#pragma once

#include <memory>
#include <vector>

#include "backends/cuda/execution/run.h"

namespace assay::cuda {

class Replay {
 public:
  // True if the module needs the host only for its arguments and result, and has several launches.
  static bool IsPossible(const DeviceModule& module);

  // Records a module that has run before. Returns null if it would take too much memory, or if there is not enough.
  static Result<std::unique_ptr<Replay>> Record(DeviceModule& module, const std::vector<Literal>& arguments);

  // Returns the value of the entry computation. Does not copy arguments that equal those of the last run.
  Result<Literal> Run(const Device& device, const std::vector<Literal>& arguments);

  const RunCounts& counts() const { return counts_; }

 private:
  struct Argument {
    Literal literal;                 // keeps the elements from being overwritten
    std::shared_ptr<Buffer> buffer;  // null if it has no elements
  };

  std::shared_ptr<Arena> arena_;  // exclusive to this replay
  std::vector<Argument> arguments_;
  Value result_;
  RunCounts counts_;
  std::unique_ptr<RecordedWork> work_;
};

}  // namespace assay::cuda
