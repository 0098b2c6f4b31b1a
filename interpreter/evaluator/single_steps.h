// Single instructions of a module, evaluated on any operands: for analyses that track more than values.
#pragma once

#include <memory>
#include <vector>

#include "interpreter/evaluator/evaluator.h"
#include "interpreter/evaluator/plan.h"

namespace assay {

class SingleSteps {
 public:
  // Plans a module, which must run on one device, have passed the verifier, and outlive this. Throws EvaluationError
  // for an op that is not evaluated.
  SingleSteps(const HloModule& module, const EvaluationOptions& options);
  ~SingleSteps();

  const PlanSet& plans() const { return plans_; }
  // Returns the instruction's value on these operands. The instruction need not be in the module, but its callees must
  // be. Throws EvaluationError.
  Literal Evaluate(const HloInstruction& instruction, std::vector<Literal> operands);
  // The same for a step of one of the plans, at a lower cost.
  Literal Evaluate(const PlanStep& step, std::vector<Literal> operands);
  // Returns the instruction's value by the body of another record than its op's.
  Literal EvaluateBy(const Op& op, const HloInstruction& instruction, std::vector<Literal> operands);

 private:
  struct State;
  const PlanSet plans_;
  const EvaluationOptions options_;
  std::unique_ptr<State> state_;
};

// True if an instruction has no plan to make: it calls no computation, and its value follows from its attributes and
// its operands. A custom call may need one.
bool NeedsNoPlan(const HloInstruction& instruction);
// Returns the value of such an instruction, whose shapes are fixed. Throws EvaluationError.
Literal EvaluateWithoutPlan(const HloInstruction& instruction, std::vector<Literal> operands,
                            const OpOverrides& overrides);

}  // namespace assay
