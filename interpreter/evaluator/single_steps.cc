#include "interpreter/evaluator/single_steps.h"

#include "interpreter/evaluator/frame.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/types/parallel.h"

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

namespace {

// Serves an instruction that asks for nothing.
class NoEvaluation : public Evaluation {
 public:
  Literal Call(const HloComputation& computation, std::vector<Literal>) override { throw Unexpected(computation.name); }
  std::unique_ptr<ScalarFunction> Scalar(const HloComputation& computation) override {
    throw Unexpected(computation.name);
  }
  Device& device() override { throw Unexpected("a device"); }

 private:
  static EvaluationError Unexpected(const std::string& asked) {
    return {{ErrorCode::kUnsupported, "an instruction without a plan asks for " + asked}};
  }
};

}  // namespace

bool NeedsNoPlan(const HloInstruction& instruction) {
  const OpEvaluation& evaluation = instruction.op->evaluation;
  return instruction.op->role == OpRole::kOrdinary && !evaluation.depends_on_device && !evaluation.has_side_effect &&
         instruction.CalledComputations().empty();
}

Literal EvaluateWithoutPlan(const HloInstruction& instruction, std::vector<Literal> operands,
                            const OpOverrides& overrides) {
  const DefaultFloatEnvironment environment;
  const Op& op = RunningOp(instruction, overrides);
  const Kernel kernel = op.evaluation.kernel != nullptr ? op.evaluation.kernel(instruction) : Kernel();
  if (kernel) return RunKernel(instruction, kernel, operands);
  if (op.evaluation.evaluate == nullptr) throw EvaluationError{{ErrorCode::kUnsupported, "the op is not evaluated"}};
  NoEvaluation evaluation;
  return op.evaluation.evaluate(instruction, operands, evaluation);
}

}  // namespace assay
