// The values that the instructions of a module have in one run on the reference, with those of called computations:
// fusions, calls and loops are open.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/per_device.h"

namespace assay {

// One execution of an instruction on all devices.
struct ExecutedValue {
  const HloInstruction* instruction = nullptr;
  PerDevice<Literal> of_devices;
};

class ProgramValues {
 public:
  explicit ProgramValues(std::int64_t device_count) : device_count_(device_count) {}

  // Returns an observer of one evaluation, which this object must outlive. It keeps the first executions of each
  // instruction, up to a limit of memory.
  EvaluationObserver Observer(std::int64_t num_partitions);
  // Returns the executions whose values have a shape, layouts ignored, in execution order.
  const std::vector<ExecutedValue>& WithShape(const Shape& shape) const;
  std::int64_t device_count() const { return device_count_; }

 private:
  // The place of the first execution in its list, and the number of executions on each device.
  struct Executions {
    std::vector<std::size_t> places;
    PerDevice<std::size_t> counts;
  };

  std::int64_t device_count_;
  std::int64_t bytes_ = 0;
  std::map<std::string, std::vector<ExecutedValue>, std::less<>> by_shape_;
  std::map<const HloInstruction*, Executions> executions_;
};

}  // namespace assay
