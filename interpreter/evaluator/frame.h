// One device's flow of control through a module.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "interpreter/evaluator/evaluator.h"
#include "interpreter/evaluator/plan.h"
#include "interpreter/hlo/op.h"

namespace assay {

class RunningDevice : public Evaluation {
 public:
  RunningDevice(const PlanSet& plans, const EvaluationOptions& options);

  Literal Call(const HloComputation& computation, std::vector<Literal> arguments) override;
  std::unique_ptr<ScalarFunction> Scalar(const HloComputation& computation) override;
  std::int64_t replica_id() const override { return options_.replica_id; }
  std::int64_t partition_id() const override { return options_.partition_id; }

 private:
  Literal Execute(const PlanStep& step, std::vector<Literal>& slots, std::vector<Literal>& arguments);
  void CountStep(const HloInstruction& instruction);

  const PlanSet& plans_;
  const EvaluationOptions& options_;
  std::int64_t steps_ = 0;
  std::chrono::steady_clock::time_point start_;
};

// Runs an element-wise kernel over whole arrays, in parallel; scalar operands of an array result are repeated.
Literal RunKernel(const HloInstruction& instruction, const Kernel& kernel, std::span<const Literal> operands);

}  // namespace assay
