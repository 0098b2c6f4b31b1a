#include "interpreter/evaluator/scalar_function.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <optional>

namespace assay {
namespace {

constexpr std::int64_t kBlock = 1024;

// Limits the length of the straight line: calls that double at each level would make it exponentially long.
constexpr std::int64_t kLongestLine = 10000;

// The storage of one scalar of the straight line while a block runs: the block of a parameter, or a scratch block.
struct Cell {
  int parameter = -1;
  std::int64_t scratch_cell = -1;
};

// A scalar or a tuple of scalars, as cells.
struct Cells {
  Cell cell;
  std::vector<Cells> elements;
};

struct KernelStep {
  Kernel kernel;
  std::vector<Cell> operands;
  Cell result;
};

struct ConstantCell {
  std::int64_t cell;
  const Literal* literal;
};

// Returns the only op of `root op(p0, p1)` or `root op(p1, p0)`.
const Op* SingleOpOf(const HloComputation& computation) {
  const HloInstruction& root = *computation.root;
  if (computation.instructions.size() != 3 || root.operands.size() != 2) return nullptr;
  for (const HloInstruction* operand : root.operands) {
    if (operand->op->role != OpRole::kParameter) return nullptr;
  }
  return root.operands[0] != root.operands[1] ? root.op : nullptr;
}

class StraightLine final : public ScalarFunction {
 public:
  static std::unique_ptr<StraightLine> Make(const PlanSet& plans, const HloComputation& computation) {
    auto line = std::unique_ptr<StraightLine>(new StraightLine);
    std::vector<Cells> arguments;
    for (const HloInstruction* parameter : computation.Parameters()) {
      if (parameter == nullptr || !parameter->shape.IsScalar()) return nullptr;
      Cells cells;
      cells.cell.parameter = static_cast<int>(arguments.size());
      arguments.push_back(cells);
      line->parameter_bytes_.push_back(StorageBytes(parameter->shape.element_type()));
    }
    std::optional<Cells> root = line->Append(plans, computation, arguments);
    if (!root) return nullptr;
    const Shape& shape = computation.root->shape;
    if (shape.IsScalar()) {
      line->AddOutput(root->cell, shape);
    } else if (shape.IsTuple()) {
      for (std::size_t i = 0; i < root->elements.size(); ++i) {
        if (!shape.tuple_shapes(i).IsScalar()) return nullptr;
        line->AddOutput(root->elements[i].cell, shape.tuple_shapes(i));
      }
    } else {
      return nullptr;
    }
    line->single_op_ = SingleOpOf(computation);
    return line;
  }

  void Apply(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs,
             std::int64_t n) const override {
    // Kernels never call back, so one scratch area per thread suffices.
    thread_local std::vector<std::byte> scratch;
    const std::int64_t block = std::min(n, kBlock);
    const std::size_t needed = scratch_cells_ * kCellBytes * block;
    if (scratch.size() < needed) scratch.resize(needed);
    for (const ConstantCell& constant : constants_) {
      const int bytes = StorageBytes(constant.literal->element_type());
      std::byte* at = scratch.data() + constant.cell * kCellBytes * block;
      for (std::int64_t i = 0; i < block; ++i) std::memcpy(at + i * bytes, constant.literal->data(), bytes);
    }
    std::vector<const std::byte*> operands;
    for (std::int64_t begin = 0; begin < n; begin += kBlock) {
      const std::int64_t count = std::min(kBlock, n - begin);
      const auto read = [&](const Cell& cell) -> const std::byte* {
        if (cell.parameter >= 0) return inputs[cell.parameter] + begin * parameter_bytes_[cell.parameter];
        return scratch.data() + cell.scratch_cell * kCellBytes * block;
      };
      for (const KernelStep& step : steps_) {
        operands.clear();
        for (const Cell& operand : step.operands) operands.push_back(read(operand));
        step.kernel(operands, scratch.data() + step.result.scratch_cell * kCellBytes * block, count);
      }
      WriteOutputs(read, outputs, begin, count);
    }
  }

  const Op* SingleOp() const override { return single_op_; }

 private:
  static constexpr std::int64_t kCellBytes = 16;  // the widest element, c128

  struct Output {
    Cell cell;
    int bytes;
  };

  Cell NewCell() { return {.parameter = -1, .scratch_cell = scratch_cells_++}; }

  void AddOutput(const Cell& cell, const Shape& shape) {
    outputs_.push_back({cell, StorageBytes(shape.element_type())});
  }

  // Writes the outputs. An output may be the array of an input that another output still reads: such inputs are copied
  // first.
  template <class Read>
  void WriteOutputs(const Read& read, std::span<std::byte* const> outputs, std::int64_t begin,
                    std::int64_t count) const {
    if (outputs_.size() == 1) {
      std::memmove(outputs[0] + begin * outputs_[0].bytes, read(outputs_[0].cell), count * outputs_[0].bytes);
      return;
    }
    std::vector<std::vector<std::byte>> staged(outputs_.size());
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const std::byte* from = read(outputs_[i].cell);
      if (outputs_[i].cell.parameter >= 0) staged[i].assign(from, from + count * outputs_[i].bytes);
    }
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const std::byte* from = staged[i].empty() ? read(outputs_[i].cell) : staged[i].data();
      std::memcpy(outputs[i] + begin * outputs_[i].bytes, from, count * outputs_[i].bytes);
    }
  }

  // Appends the body of a computation whose parameters are `arguments`. Returns nothing if the computation is not
  // element-wise.
  std::optional<Cells> Append(const PlanSet& plans, const HloComputation& computation,
                              const std::vector<Cells>& arguments) {
    const ComputationPlan& plan = plans.Of(computation);
    std::vector<Cells> values(plan.slot_count());
    for (const PlanStep& step : plan.steps()) {
      std::vector<Cells> operands;
      for (const PlanStep::Operand& operand : step.operands) operands.push_back(values[operand.slot]);
      std::optional<Cells> value = AppendStep(plans, step, operands, arguments);
      if (!value) return std::nullopt;
      values[step.slot] = std::move(*value);
    }
    return values[plan.root_slot()];
  }

  std::optional<Cells> AppendStep(const PlanSet& plans, const PlanStep& step, const std::vector<Cells>& operands,
                                  const std::vector<Cells>& arguments) {
    const HloInstruction& instruction = *step.instruction;
    if (++instructions_ > kLongestLine) return std::nullopt;
    Cells result;
    switch (instruction.op->role) {
      case OpRole::kParameter:
        return arguments[instruction.parameter_number];
      case OpRole::kTuple:
        result.elements = operands;
        return result;
      case OpRole::kGetTupleElement:
        return operands[0].elements[instruction.Int64("index")];
      case OpRole::kCall:
        return Append(plans, *instruction.CalledComputations()[0], operands);
      default:
        break;
    }
    if (!instruction.shape.IsScalar()) return std::nullopt;
    for (const HloInstruction* operand : instruction.operands) {
      if (!operand->shape.IsScalar()) return std::nullopt;
    }
    if (instruction.op->role == OpRole::kConstant) {
      result.cell = NewCell();
      constants_.push_back({result.cell.scratch_cell, &*instruction.literal});
      return result;
    }
    if (instruction.op->evaluation.keeps_scalars &&
        instruction.operand(0).shape.element_type() == instruction.shape.element_type()) {
      return operands[0];
    }
    if (!step.kernel) return std::nullopt;
    KernelStep kernel_step{step.kernel, {}, NewCell()};
    for (const Cells& operand : operands) kernel_step.operands.push_back(operand.cell);
    result.cell = kernel_step.result;
    steps_.push_back(std::move(kernel_step));
    return result;
  }

  std::vector<KernelStep> steps_;
  std::vector<ConstantCell> constants_;
  std::vector<Output> outputs_;
  std::vector<int> parameter_bytes_;
  std::int64_t scratch_cells_ = 0;
  std::int64_t instructions_ = 0;
  const Op* single_op_ = nullptr;
};

class ElementByElement final : public ScalarFunction {
 public:
  ElementByElement(const HloComputation& computation, Evaluation& evaluation)
      : computation_(computation), evaluation_(evaluation), parameters_(computation.Parameters()) {}

  void Apply(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs,
             std::int64_t n) const override {
    // The evaluating device is one flow of control.
    const std::lock_guard lock(mutex_);
    for (std::int64_t i = 0; i < n; ++i) {
      std::vector<Literal> arguments;
      for (std::size_t p = 0; p < parameters_.size(); ++p) {
        Literal argument = Literal::Uninitialized(parameters_[p]->shape);
        std::memcpy(argument.mutable_data(), inputs[p] + i * argument.byte_size(), argument.byte_size());
        arguments.push_back(std::move(argument));
      }
      const Literal result = evaluation_.Call(computation_, std::move(arguments));
      if (!result.shape().IsTuple()) {
        std::memcpy(outputs[0] + i * result.byte_size(), result.data(), result.byte_size());
        continue;
      }
      for (std::size_t j = 0; j < result.elements().size(); ++j) {
        const Literal& element = result.elements()[j];
        std::memcpy(outputs[j] + i * element.byte_size(), element.data(), element.byte_size());
      }
    }
  }

  const Op* SingleOp() const override { return nullptr; }

 private:
  const HloComputation& computation_;
  Evaluation& evaluation_;
  std::vector<const HloInstruction*> parameters_;
  mutable std::mutex mutex_;
};

}  // namespace

std::unique_ptr<ScalarFunction> MakeScalarFunction(const PlanSet& plans, const HloComputation& computation,
                                                   Evaluation& evaluation) {
  if (auto line = StraightLine::Make(plans, computation)) return line;
  return std::make_unique<ElementByElement>(computation, evaluation);
}

}  // namespace assay
