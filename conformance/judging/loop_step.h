// One iteration of a loop, as a module of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/acceptance/ops/value_set.h"
#include "interpreter/hlo/extract.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

// The body of a loop without the elements of its state that it hands on as they are, such as the weights of a scan:
// they cost nothing in the results of an iteration.
class LoopStep {
 public:
  explicit LoopStep(const HloComputation& body);

  const HloModule& module() const { return *region_.module; }
  // The arguments of the module, from the state before the iteration.
  std::vector<Literal> InputsFrom(const Literal& state) const;
  // The state after the iteration, from the state before it and the module's result: a Literal or a ValueSet.
  template <class Value>
  Value StateAfter(const Literal& before, Value result) const;

 private:
  // For each element of the state the result that becomes it; kKept for one that stays. Empty where the module's
  // result is the whole state.
  static constexpr int kKept = -1;
  std::vector<int> result_of_;
  int result_count_ = 0;
  Region region_;
};

}  // namespace assay
