// Single instructions of a module, evaluated on any operands: for walks that carry more than values.
#pragma once

#include <memory>
#include <vector>

#include "interpreter/evaluator/evaluator.h"
#include "interpreter/evaluator/plan.h"

namespace assay {

class SingleSteps {
 public:
  // The module runs on one device; it must have passed the verifier and outlive this. Throws EvaluationError for an op
  // that is not evaluated.
  SingleSteps(const HloModule& module, const EvaluationOptions& options);
  ~SingleSteps();

  const PlanSet& plans() const { return plans_; }
  // The instruction's value on these operands. The instruction need not be one of the module, but what it calls is.
  // Throws EvaluationError.
  Literal Evaluate(const HloInstruction& instruction, std::vector<Literal> operands);
  // The same of a step of one of the plans, which costs less.
  Literal Evaluate(const PlanStep& step, std::vector<Literal> operands);
  // The instruction's value by the body of another record than that of its op.
  Literal EvaluateBy(const Op& op, const HloInstruction& instruction, std::vector<Literal> operands);

 private:
  struct State;
  const PlanSet plans_;
  const EvaluationOptions options_;
  std::unique_ptr<State> state_;
};

}  // namespace assay
