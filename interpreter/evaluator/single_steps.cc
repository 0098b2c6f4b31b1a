#include "interpreter/evaluator/single_steps.h"

#include "interpreter/evaluator/frame.h"

namespace assay {

struct SingleSteps::State {
  State(const PlanSet& plans, const EvaluationOptions& options)
      : run{plans, options, grid}, device(run, grid.devices()[0]) {
    grid.devices()[0].random_state = options.random_state;
  }

  DeviceGrid grid{1, 1};
  Run run;
  RunningDevice device;
};

SingleSteps::SingleSteps(const HloModule& module, const EvaluationOptions& options)
    : plans_(module, {}), options_(options), state_(std::make_unique<State>(plans_, options_)) {}

SingleSteps::~SingleSteps() = default;

Literal SingleSteps::Evaluate(const HloInstruction& instruction, std::vector<Literal> operands) {
  return state_->device.Apply(instruction, std::move(operands));
}

Literal SingleSteps::Evaluate(const PlanStep& step, std::vector<Literal> operands) {
  return state_->device.Apply(step, std::move(operands));
}

Literal SingleSteps::EvaluateBy(const Op& op, const HloInstruction& instruction, std::vector<Literal> operands) {
  return state_->device.ApplyBy(op, instruction, std::move(operands));
}

}  // namespace assay
