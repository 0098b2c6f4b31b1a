#include <algorithm>
#include <cstring>
#include <deque>
#include <exception>
#include <span>
#include <utility>
#include <vector>

#include "interpreter/kernels/loops/bound_step.h"
#include "interpreter/kernels/loops/loop_program.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

// A kernel over this many elements may take a millisecond.
constexpr std::int64_t kLongKernel = 256;

thread_local std::exception_ptr failure;

void RunSteps(std::span<const BoundStep> steps) {
  for (const BoundStep& step : steps) step.Run();
}

// A loop with the addresses of a run.
struct BoundBlock {
  const LoopProgram* program = nullptr;
  const LoopBlock* block = nullptr;
  std::vector<BoundStep> entry = {}, turn = {};  // a turn is the condition and the body
  std::byte* memory = nullptr;
  std::byte* const* buffers = nullptr;
  const std::byte* holds = nullptr;

  void Run() const {
    RunSteps(entry);
    TurnsEnd end = TurnsEnd::kAllRun;
    while (end == TurnsEnd::kAllRun) {
      const TurnCode code = block->code == nullptr ? nullptr : block->code->Get(*program, *block);
      end = code == nullptr ? Replay() : code(memory, buffers, turn.data(), block->turns_between_checks);
      if (end == TurnsEnd::kStepFailed) RethrowFailure();
      if (end == TurnsEnd::kAllRun) CheckLimits();
    }
  }

  // Runs as many turns as the limits allow without a check.
  TurnsEnd Replay() const {
    const std::span steps(turn);
    const auto condition = steps.first(block->condition.size()), body = steps.subspan(block->condition.size());
    for (int turns = 0; turns < block->turns_between_checks; ++turns) {
      RunSteps(condition);
      if (*holds == std::byte{0}) {
        CountReplayed(turns);
        return TurnsEnd::kConditionFalse;
      }
      RunSteps(body);
    }
    CountReplayed(block->turns_between_checks);
    return TurnsEnd::kAllRun;
  }

  void CountReplayed(std::int64_t turns) const {
    if (block->code != nullptr) block->code->AddTurns(turns);
  }
};

// True if an asynchronous operation has not computed a part of the value yet.
bool IsPending(const Literal& value) {
  return value.promise() != nullptr || std::ranges::any_of(value.elements(), IsPending);
}

void AppendArraysOf(Literal& value, std::vector<Literal*>& arrays) {
  if (!value.shape().IsTuple()) return arrays.push_back(&value);
  for (Literal& element : value.mutable_elements()) AppendArraysOf(element, arrays);
}

class LoopRun {
 public:
  LoopRun(const LoopProgram& program, Literal& state, Evaluation& evaluation)
      : program_(program),
        evaluation_(evaluation),
        memory_(ShapeUtil::MakeShape(U8, {program.memory_bytes + 2 * kBufferAlignment})) {
    AppendArraysOf(state, state_);
    auto address = reinterpret_cast<std::uintptr_t>(memory_.mutable_data());
    base_ = memory_.mutable_data() + (kBufferAlignment - address % kBufferAlignment);
    for (const LoopBuffer& buffer : program_.buffers) addresses_.push_back(AddressOf(buffer));
  }

  void Run() {
    const LoopBlock& main = program_.main;
    const BoundBlock bound = Bind(main);
    for (std::size_t i = 0; i < state_.size(); ++i) {
      const LoopArray& array = program_.arrays[main.state[i]];
      if (array.IsSmall()) std::memcpy(AddressOf(main.state[i]), state_[i]->data(), array.bytes());
    }
    bound.Run();
    for (std::size_t i = 0; i < state_.size(); ++i) {
      const LoopArray& array = program_.arrays[main.state[i]];
      if (array.IsSmall() && !main.Keeps(i)) {
        std::memcpy(state_[i]->mutable_data(), AddressOf(main.state[i]), array.bytes());
      }
    }
  }

 private:
  std::byte* AddressOf(ArrayId id) const { return addresses_[program_.arrays[id].buffer]; }

  // Returns the memory of a buffer, with the value of a constant. Only steps write there, and none writes to a literal
  // of a constant or of an array that the loop keeps.
  std::byte* AddressOf(const LoopBuffer& buffer) {
    if (buffer.offset < 0 && buffer.constant == nullptr) {
      Literal& array = *state_[buffer.state];
      return program_.main.Keeps(buffer.state) ? const_cast<std::byte*>(array.data()) : array.mutable_data();
    }
    if (buffer.offset < 0) return const_cast<std::byte*>(buffer.constant->data());
    std::byte* const address = base_ + buffer.offset;
    if (buffer.constant != nullptr) std::memcpy(address, buffer.constant->data(), buffer.constant->byte_size());
    return address;
  }

  BoundBlock Bind(const LoopBlock& block) {
    BoundBlock bound{.program = &program_,
                     .block = &block,
                     .memory = base_,
                     .buffers = addresses_.data(),
                     .holds = AddressOf(block.holds)};
    Bind(block.entry, bound.entry);
    Bind(block.condition, bound.turn);
    Bind(block.body, bound.turn);
    return bound;
  }

  void Bind(const std::vector<ReplayStep>& steps, std::vector<BoundStep>& bound) {
    for (const ReplayStep& step : steps) {
      BoundStep& to = bound.emplace_back();
      to.loop = step.loop;
      to.count = step.count;
      for (const ArrayId id : step.operands) to.operands.push_back(AddressOf(id));
      if (!step.results.empty()) to.result = AddressOf(step.results[0]);
      if (step.kernel != nullptr) to.kernel = &step.kernel;
      if (step.inner != nullptr) to.kernel = &BindInner(*step.inner);
      if (step.op != nullptr) to.kernel = &BindCall(step);
    }
  }

  const Kernel& BindInner(const LoopBlock& inner) {
    return kernels_.emplace_back(
        [block = Bind(inner)](std::span<const std::byte* const>, std::byte*, std::int64_t) { block.Run(); });
  }

  const Kernel& BindCall(const ReplayStep& step) {
    return kernels_.emplace_back(
        [this, &step](std::span<const std::byte* const>, std::byte*, std::int64_t) { Call(step); });
  }

  void Call(const ReplayStep& step) {
    auto from = step.operands.cbegin();
    std::vector<Literal> operands;
    for (const HloInstruction* operand : step.instruction->operands)
      operands.push_back(LiteralOf(operand->shape, from));
    Literal result = step.op->evaluation.evaluate(*step.instruction, operands, evaluation_);
    std::vector<Literal*> arrays;
    AppendArraysOf(result, arrays);
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      std::memcpy(AddressOf(step.results[i]), arrays[i]->data(), arrays[i]->byte_size());
    }
  }

  // Returns the value of the arrays from `next` on.
  Literal LiteralOf(const Shape& shape, std::vector<ArrayId>::const_iterator& next) const {
    if (shape.IsTuple()) {
      std::vector<Literal> elements;
      for (const Shape& part : shape.tuple_shapes()) elements.push_back(LiteralOf(part, next));
      return Literal::MakeTuple(std::move(elements));
    }
    const LoopBuffer& buffer = program_.buffers[program_.arrays[*next++].buffer];
    if (buffer.constant != nullptr) return buffer.constant->WithShape(shape);
    if (buffer.state >= 0) return state_[buffer.state]->WithShape(shape);
    Literal value = Literal::Uninitialized(shape);
    std::memcpy(value.mutable_data(), base_ + buffer.offset, value.byte_size());
    return value;
  }

  const LoopProgram& program_;
  Evaluation& evaluation_;
  std::vector<Literal*> state_;  // the arrays in it
  Literal memory_;
  std::byte* base_ = nullptr;
  std::vector<std::byte*> addresses_;  // of the buffers
  std::deque<Kernel> kernels_;         // of calls and inner loops
};

}  // namespace

void BoundStep::Run() const {
  if (loop != nullptr) return loop(operands.data(), result, count);
  (*kernel)(operands, result, count);
  if (count >= kLongKernel) CheckLimits();
}

bool RunForMachineCode(const BoundStep* step) noexcept {
  try {
    step->Run();
    return true;
  } catch (...) {
    failure = std::current_exception();
    return false;
  }
}

void RethrowFailure() { std::rethrow_exception(std::exchange(failure, nullptr)); }

PreparedFunction PrepareLoop(const HloInstruction& loop, const LoopBodies& bodies) {
  const std::shared_ptr<const LoopProgram> program = MakeLoopProgram(loop, bodies);
  if (program == nullptr) return {};
  return [program, &loop](std::span<Literal> operands, Evaluation& evaluation) {
    if (IsPending(operands[0])) return loop.op->evaluation.evaluate(loop, operands, evaluation);
    const DefaultFloatEnvironment environment;
    Literal state = std::move(operands[0]);
    LoopRun(*program, state, evaluation).Run();
    return state;
  };
}

}  // namespace assay
