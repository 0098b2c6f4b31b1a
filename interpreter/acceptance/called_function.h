// A computation that an instruction calls, as a function from values to a value.
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
  // `called` is a computation that the instruction calls. It is copied.
  CalledFunction(const HloInstruction& instruction, const HloComputation& called);

  const HloComputation& computation() const { return *module_->entry; }
  // Evaluates the computation on one value for each of its parameters. Returns nullopt if it cannot be evaluated on
  // them. Throws EvaluationError at a limit.
  std::optional<Literal> operator()(std::vector<Literal> arguments) const;

 private:
  std::unique_ptr<HloModule> module_;
  std::optional<PlannedModule> plan_;
};

}  // namespace assay
