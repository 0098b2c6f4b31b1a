#include "interpreter/evaluator/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <utility>

#include "interpreter/evaluator/run_time_sizes.h"
#include "interpreter/evaluator/scalar_function.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

// Up to this many operands, a kernel for a single element needs no allocation.
constexpr std::size_t kFewOperands = 4;

// Returns the same element `count` times.
std::vector<std::byte> Repeated(const Literal& scalar, std::int64_t count) {
  const int bytes = StorageBytes(scalar.element_type());
  std::vector<std::byte> block(count * bytes);
  for (std::int64_t i = 0; i < count; ++i) std::memcpy(block.data() + i * bytes, scalar.data(), bytes);
  return block;
}

}  // namespace

Literal RunKernel(const HloInstruction& instruction, const Kernel& kernel, std::span<const Literal> operands) {
  Literal result = Literal::Uninitialized(instruction.shape);
  const std::int64_t n = result.element_count();
  if (n == 0) return result;
  if (n == 1 && operands.size() <= kFewOperands) {
    const DefaultFloatEnvironment environment;
    std::array<const std::byte*, kFewOperands> in = {};
    for (std::size_t i = 0; i < operands.size(); ++i) in[i] = operands[i].data();
    kernel(std::span(in).first(operands.size()), result.mutable_data(), 1);
    SetElementwiseSizes(operands, result);
    return result;
  }
  const int result_bytes = StorageBytes(result.element_type());
  std::byte* out = result.mutable_data();

  std::vector<std::vector<std::byte>> repeated(operands.size());
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (n > 1 && operands[i].element_count() == 1) repeated[i] = Repeated(operands[i], std::min(n, kComputedPerPiece));
  }
  const auto run = [&](std::int64_t begin, std::int64_t end) {
    std::vector<const std::byte*> in(operands.size());
    for (std::size_t i = 0; i < operands.size(); ++i) {
      in[i] = repeated[i].empty() ? operands[i].data() + begin * StorageBytes(operands[i].element_type())
                                  : repeated[i].data();
    }
    kernel(in, out + begin * result_bytes, end - begin);
  };
  ParallelFor(n, kComputedPerPiece, std::cref(run));
  SetElementwiseSizes(operands, result);
  return result;
}

bool CallPath::BeginCall(const HloComputation& callee) {
  if (executing_.empty()) return false;
  Executing& caller = executing_.back();
  calls_.push_back({caller.instruction, &callee, caller.calls[&callee]++});
  return true;
}

void RunningDevice::CountStep() {
  run_.grid.flows().Check();
  const EvaluationLimits& limits = run_.options.limits;
  if (++state_.steps > limits.steps) {
    throw EvaluationError{
        {ErrorCode::kLimit, fmt::format("step limit: {} instructions executed (--step-limit)", limits.steps)}};
  }
  CheckLimits();
}

Literal RunningDevice::Start(const HloInstruction&, const Shape& shape, FlowBody body) {
  Literal promised = DeviceGrid::Promised(shape);
  ++state_.unended_flows;
  run_.grid.flows().Add([promised, body = std::move(body), path = path_, &run = run_, &state = state_] {
    return WithoutThrowing([&]() -> Status {
      RunningDevice flow(run, state, path);
      run.grid.Keep(promised, body(flow));
      --state.unended_flows;
      return {};
    });
  });
  return promised;
}

std::array<std::uint64_t, 2> RunningDevice::AdvanceRandomState(std::uint64_t delta) {
  const auto before = state_.random_state;
  state_.random_state[0] += delta;
  if (state_.random_state[0] < delta) ++state_.random_state[1];
  return before;
}

Literal RunningDevice::Call(const HloComputation& computation, std::vector<Literal> arguments) {
  const ComputationPlan& plan = run_.plans.Of(computation);
  const bool has_caller = run_.options.on_execution && path_.BeginCall(computation);
  std::vector<Literal> slots(plan.slot_count());
  for (const PlanStep& step : plan.steps()) slots[step.slot] = Execute(step, slots, arguments);
  if (has_caller) path_.EndCall();
  return std::move(slots[plan.root_slot()]);
}

Literal RunningDevice::Apply(const PlanStep& step, std::vector<Literal> operands) {
  return AtStep(step, [&] {
    CountStep();
    return Compute(step, operands);
  });
}

Literal RunningDevice::Apply(const HloInstruction& instruction, std::vector<Literal> operands) {
  return ApplyBy(WithKernel(*instruction.op), instruction, std::move(operands));
}

Literal RunningDevice::ApplyBy(const Op& op, const HloInstruction& instruction, std::vector<Literal> operands) {
  PlanStep step;
  step.instruction = &instruction;
  step.op = &op;
  if (step.op->evaluation.kernel != nullptr) step.kernel = step.op->evaluation.kernel(instruction);
  if (instruction.op->role == OpRole::kCall) step.called = instruction.CalledComputations().front();
  return Apply(step, std::move(operands));
}

template <class Function>
Literal RunningDevice::AtStep(const PlanStep& step, const Function& execute) {
  const auto meet = [&](Error error) -> EvaluationError {
    if (error.code == ErrorCode::kLimit && error.location.line == 0) {
      error.message += fmt::format(", met at {} after {} instructions", step.instruction->name, state_.steps);
      error.location = step.instruction->location;
    }
    return {std::move(error)};
  };
  try {
    return execute();
  } catch (EvaluationError& error) {
    throw meet(std::move(error.error));
  } catch (const std::bad_alloc& exception) {
    throw meet(OutOfMemory(exception));
  }
}

Literal RunningDevice::Execute(const PlanStep& step, std::vector<Literal>& slots, std::vector<Literal>& arguments) {
  return AtStep(step, [&] { return ExecuteWithin(step, slots, arguments); });
}

Literal RunningDevice::ExecuteWithin(const PlanStep& step, std::vector<Literal>& slots,
                                     std::vector<Literal>& arguments) {
  const HloInstruction& instruction = *step.instruction;
  CountStep();
  switch (instruction.op->role) {
    case OpRole::kParameter:
      return std::move(arguments[instruction.parameter_number]);
    case OpRole::kConstant:
      return *instruction.literal;
    case OpRole::kGetTupleElement: {
      // A copy of the element shares its buffer, so only the last use moves it out of the tuple.
      const auto [slot, is_last_use] = step.operands[0];
      Literal& element = slots[slot].mutable_elements()[step.tuple_index];
      Literal result = is_last_use ? std::move(element) : element;
      if (is_last_use) slots[slot] = Literal();
      return result;
    }
    default:
      break;
  }
  std::vector<Literal> operands = std::exchange(operands_, {});
  operands.reserve(step.operands.size());
  for (const PlanStep::Operand& operand : step.operands) operands.push_back(operand.TakeFrom(slots));
  Literal result = Compute(step, operands);
  operands.clear();
  operands_ = std::move(operands);
  return result;
}

Literal RunningDevice::Compute(const PlanStep& step, std::vector<Literal>& operands) {
  const HloInstruction& instruction = *step.instruction;
  const EvaluationOptions& options = run_.options;
  const bool is_watched = options.observer || options.disturb || options.on_execution;
  const std::vector<Literal> seen = is_watched ? operands : std::vector<Literal>();
  if (options.on_execution) path_.Enter(instruction);
  Literal result = RunBody(step, operands, is_watched || options.limits.steps != INT64_MAX);
  if (options.on_execution) path_.Leave();
  if (options.disturb) options.disturb(instruction, seen, result, state_.id);
  if (options.observer) options.observer(instruction, seen, result, state_.id);
  if (options.on_execution) options.on_execution({instruction, seen, result, state_.id, path_.calls()});
  return result;
}

Literal RunningDevice::RunBody(const PlanStep& step, std::vector<Literal>& operands, bool is_counted) {
  const HloInstruction& instruction = *step.instruction;
  if (step.kernel) return RunKernel(instruction, step.kernel, operands);
  const bool has_run_time_sizes = HasRunTimeSizes(operands);
  const bool hides_calls = is_counted && !instruction.CalledComputations().empty();
  if (step.prepared && !has_run_time_sizes && !hides_calls) return step.prepared(operands, *this);
  if (step.called != nullptr) return Call(*step.called, std::move(operands));
  if (!step.op->evaluation.sees_run_time_sizes && has_run_time_sizes) {
    return EvaluateAtRunTimeSizes(*step.op, instruction, operands, *this);
  }
  return step.op->evaluation.evaluate(instruction, operands, *this);
}

std::unique_ptr<ScalarFunction> RunningDevice::Scalar(const HloComputation& computation) {
  return MakeScalarFunction(run_.plans, computation, *this);
}

}  // namespace assay
