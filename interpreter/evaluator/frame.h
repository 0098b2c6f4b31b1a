// One flow of control of a device, executing a module.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "interpreter/evaluator/devices.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/evaluator/plan.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/limits.h"

namespace assay {

// The state that all flows of a run share.
struct Run {
  const PlanSet& plans;
  const EvaluationOptions& options;
  DeviceGrid& grid;
};

// The calls that a flow of control is in. Empty unless EvaluationOptions::on_execution is set.
class CallPath {
 public:
  void Enter(const HloInstruction& instruction) { executing_.push_back({&instruction, {}}); }
  void Leave() { executing_.pop_back(); }
  // Begins a call by the instruction that is executing. Returns false for the call of the entry, which has no caller.
  bool BeginCall(const HloComputation& callee);
  void EndCall() { calls_.pop_back(); }
  std::span<const CallStep> calls() const { return calls_; }

 private:
  struct Executing {
    const HloInstruction* instruction;
    std::map<const HloComputation*, std::int64_t> calls;  // made so far
  };
  std::vector<Executing> executing_;
  std::vector<CallStep> calls_;
};

class RunningDevice : public Evaluation, public Device {
 public:
  RunningDevice(Run& run, DeviceState& state, CallPath path = {}) : run_(run), state_(state), path_(std::move(path)) {}

  Literal Call(const HloComputation& computation, std::vector<Literal> arguments) override;
  // Evaluates one instruction by itself, of a plan or not.
  Literal Apply(const PlanStep& step, std::vector<Literal> operands);
  Literal Apply(const HloInstruction& instruction, std::vector<Literal> operands);
  // The same with the body of another record.
  Literal ApplyBy(const Op& op, const HloInstruction& instruction, std::vector<Literal> operands);
  std::unique_ptr<ScalarFunction> Scalar(const HloComputation& computation) override;
  Device& device() override { return *this; }

  DeviceId id() const override { return state_.id; }
  std::int64_t replica_count() const override { return run_.grid.replica_count(); }
  std::int64_t partition_count() const override { return run_.grid.partition_count(); }
  Literal Meet(const HloInstruction& instruction, std::span<const DeviceId> participants, std::vector<Literal> brought,
               const MeetingRule& rule) override {
    return run_.grid.Meet(state_.id, instruction, participants, std::move(brought), rule);
  }
  Literal Start(const HloInstruction& instruction, const Shape& shape, FlowBody body) override;
  Literal Await(const HloInstruction& instruction, const Literal& promised) override {
    return run_.grid.Await(state_.id, instruction, promised);
  }
  void Send(const HloInstruction& instruction, Literal data, std::optional<DeviceId> target) override {
    run_.grid.Send(state_.id, instruction, std::move(data), target);
  }
  Literal Receive(const HloInstruction& instruction, const Shape& shape, std::optional<DeviceId> source) override {
    return run_.grid.Receive(state_.id, instruction, shape, source);
  }
  Literal TakeFromHost(const HloInstruction& instruction, const Shape& shape) override {
    return run_.grid.TakeFromHost(state_, instruction, shape);
  }
  void GiveToHost(Literal data) override { state_.to_host.push_back(std::move(data)); }
  void AddFromHost(Literal data) override { state_.from_host.push_back(std::move(data)); }
  std::vector<Literal>& Recorded(const std::string& name) override { return state_.recorded[name]; }
  std::array<std::uint64_t, 2> AdvanceRandomState(std::uint64_t delta) override;

 private:
  Literal Execute(const PlanStep& step, std::vector<Literal>& slots, std::vector<Literal>& arguments);
  Literal ExecuteWithin(const PlanStep& step, std::vector<Literal>& slots, std::vector<Literal>& arguments);
  Literal Compute(const PlanStep& step, std::vector<Literal>& operands);
  // Calls the body. `is_counted` is false if a prepared body may run the computations that it calls as a whole.
  Literal RunBody(const PlanStep& step, std::vector<Literal>& operands, bool is_counted);
  // Calls `execute`. Adds the instruction to the error of a limit; the innermost one counts.
  template <class Function>
  Literal AtStep(const PlanStep& step, const Function& execute);
  void CountStep();

  Run& run_;
  DeviceState& state_;
  CallPath path_;
  std::vector<Literal> operands_;  // empty; reuses the memory for the operands of the next instruction
};

// Runs an element-wise kernel over whole arrays, in parallel; scalar operands of an array result are repeated.
Literal RunKernel(const HloInstruction& instruction, const Kernel& kernel, std::span<const Literal> operands);

}  // namespace assay
