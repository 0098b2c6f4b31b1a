// A computation that an instruction calls, evaluated on values.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

class CalledFunction {
 public:
  // `called` is a computation that the instruction calls.
  CalledFunction(const HloInstruction& instruction, const HloComputation& called);

  const HloComputation& computation() const { return *module_->entry; }
  // Returns nullopt if the computation cannot be evaluated on these values. Throws the error of a limit.
  std::optional<Literal> operator()(std::vector<Literal> arguments) const;

 private:
  std::unique_ptr<HloModule> module_;
  std::optional<PlannedModule> plan_;
};

}  // namespace assay
