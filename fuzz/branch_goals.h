// The outcomes of a module's comparisons that inputs have not shown, and the inputs that came nearest to them.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <map>

#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/per_device.h"

namespace assay {

class BranchGoals {
 public:
  // The module must outlive the goals.
  BranchGoals(const HloModule& module, const EvaluationLimits& limits) : module_(module), limits_(limits) {}

  // Evaluates the module on the reference. Returns true if a comparison of integers or real numbers has an outcome for
  // the first time. Inputs that fail show nothing.
  bool Take(const DeviceValues& inputs);
  // Returns the inputs that came nearest to an outcome of a comparison that has only had the other one: each call takes
  // the comparison that has been tried least. Null if there is none. Valid until the next call of Take.
  const DeviceValues* Next();

 private:
  struct Goal {
    std::array<bool, 2> seen = {};
    double distance = INFINITY;  // of the operands, in the inputs that came nearest
    DeviceValues inputs;
    std::int64_t tries = 0;

    bool IsOpen() const { return seen[0] != seen[1] && std::isfinite(distance); }
  };

  const HloModule& module_;
  EvaluationLimits limits_;
  std::map<const HloInstruction*, Goal> goals_;
};

}  // namespace assay
