// Runs of a module that the device repeats by itself: its launches are recorded once, and given to the device as one.
#pragma once

#include <memory>
#include <vector>

#include "backends/cuda/execution/run.h"

namespace assay::cuda {

class Replay {
 public:
  // Whether the module's plan needs the host for nothing between its arguments and its result, and has several
  // launches.
  static bool IsPossible(const DeviceModule& module);

  // Of a module that has run before. Null where it would take too much memory, or there is not enough.
  static Result<std::unique_ptr<Replay>> Record(DeviceModule& module, const std::vector<Literal>& arguments);

  // The value of the entry computation. Arguments that are the last run's are not moved.
  Result<Literal> Run(const Device& device, const std::vector<Literal>& arguments);

  const RunCounts& counts() const { return counts_; }

 private:
  struct Argument {
    Literal literal;                 // as long as it is here, nobody writes its elements
    std::shared_ptr<Buffer> buffer;  // null where it has no elements
  };

  std::shared_ptr<Arena> arena_;  // nobody else has this memory
  std::vector<Argument> arguments_;
  Value result_;
  RunCounts counts_;
  std::unique_ptr<RecordedWork> work_;
};

}  // namespace assay::cuda
