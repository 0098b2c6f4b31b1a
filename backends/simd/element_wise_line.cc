#include "backends/simd/element_wise_line.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "backends/simd/simd.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/numerics/fill.h"

namespace assay::simd {
namespace {

// The number of elements that a step processes before the next step starts, so that intermediate values stay in the
// first-level cache.
constexpr std::int64_t kBlock = 1024;

}  // namespace

Kernel KernelOf(const HloInstruction& instruction) {
  const auto own = Overrides().find(instruction.op);
  const Op& op = own == Overrides().end() ? WithKernel(*instruction.op) : *own->second;
  return op.evaluation.kernel == nullptr ? Kernel() : op.evaluation.kernel(instruction);
}

Kernel FoldingKernel(const HloComputation& computation, PrimitiveType type) {
  const HloInstruction& root = *computation.root;
  constexpr std::string_view kOps[] = {"add", "multiply", "maximum", "minimum"};
  const bool has_loop = type == F32 || type == F64 || type == S32 || type == U32;
  if (!has_loop || std::ranges::find(kOps, root.op->name) == std::end(kOps)) return {};
  for (std::int64_t i = 0; i < 2; ++i) {
    const HloInstruction& operand = root.operand(i);
    if (operand.op->role != OpRole::kParameter || operand.parameter_number != i) return {};
    if (operand.shape.element_type() != type) return {};
  }
  return KernelOf(root);
}

bool IsElementWise(const HloInstruction& instruction) {
  const Shape& shape = instruction.shape;
  if (!shape.IsFixedArray() || instruction.op->evaluation.kernel == nullptr || instruction.operands.empty())
    return false;
  for (const HloInstruction* operand : instruction.operands) {
    const bool fits =
        operand->shape.IsArray() && (operand->shape.IsScalar() || operand->shape.dimensions() == shape.dimensions());
    if (!fits) return false;
  }
  return KernelOf(instruction) != nullptr;
}

bool IsRepetition(const HloInstruction& instruction) {
  static const Op* const broadcast = FindOp("broadcast");
  if (instruction.op != broadcast || !instruction.shape.IsFixedArray()) return false;
  const Shape& operand = instruction.operand(0).shape;
  const std::span<const std::int64_t> dimensions = instruction.Int64s("dimensions");
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    const bool follows = i == 0 || dimensions[i] == dimensions[i - 1] + 1;
    if (!follows || operand.dimensions(i) != instruction.shape.dimensions(dimensions[i])) return false;
  }
  return operand.IsFixedArray();
}

// A builder of the steps of a line. Later values reuse the cells that no further step needs.
class ElementWiseLine::Builder {
 public:
  Builder(const HloComputation& computation, ElementWiseLine& line) : computation_(computation), line_(line) {
    for (const auto& instruction : computation.instructions) {
      for (const HloInstruction* operand : instruction->operands) last_user_[operand] = instruction.get();
    }
  }

  // Builds the line. Returns false if the computation contains anything else.
  bool Build() {
    if (!computation_.root->shape.IsFixedArray()) return false;
    for (const auto& instruction : computation_.instructions) {
      const std::optional<Cell> cell = CellOf(*instruction);
      if (!cell) return false;
      cells_[instruction.get()] = *cell;
    }
    line_.root_ = cells_.at(computation_.root);
    // The last step writes the result directly.
    return !line_.steps_.empty() && IsElementWise(*computation_.root) &&
           line_.steps_.back().result.offset == line_.root_.offset;
  }

 private:
  bool HasDimensionsOfRoot(const HloInstruction& instruction) const {
    return instruction.shape.dimensions() == computation_.root->shape.dimensions();
  }

  std::optional<Cell> CellOf(const HloInstruction& instruction) {
    if (!instruction.control_predecessors.empty()) return std::nullopt;
    if (instruction.op->role == OpRole::kParameter) return CellOfParameter(instruction);
    if (instruction.op->role == OpRole::kConstant && instruction.shape.IsScalar()) {
      const Cell cell = NewCell(instruction.shape.element_type());
      line_.constants_.push_back({&*instruction.literal, cell});
      return cell;
    }
    if (IsRepetition(instruction) && HasDimensionsOfRoot(instruction)) return CellOfRepetition(instruction);
    const bool fits = instruction.shape.IsScalar() || HasDimensionsOfRoot(instruction);
    return fits && IsElementWise(instruction) ? std::optional(AddStep(instruction)) : std::nullopt;
  }

  // Returns the cell of a parameter. A scalar is repeated; an array of other dimensions than the result's is for
  // broadcasts only.
  std::optional<Cell> CellOfParameter(const HloInstruction& parameter) {
    if (!parameter.shape.IsFixedArray()) return std::nullopt;
    const PrimitiveType type = parameter.shape.element_type();
    const auto number = static_cast<int>(parameter.parameter_number);
    if (!parameter.shape.IsScalar()) return Cell{.parameter = number, .offset = 0, .bytes = StorageBytes(type)};
    const Cell cell = NewCell(type);
    line_.repetitions_.push_back({number, 1, 1, cell});
    return cell;
  }

  std::optional<Cell> CellOfRepetition(const HloInstruction& broadcast) {
    const HloInstruction& operand = broadcast.operand(0);
    if (operand.shape.IsScalar()) return cells_.at(&operand);  // a scalar's cell is filled like an array's
    if (operand.op->role != OpRole::kParameter) return std::nullopt;
    const std::span<const std::int64_t> dimensions = broadcast.Int64s("dimensions");
    std::int64_t inner = 1, count = 1;
    for (std::int64_t d = 0; d < broadcast.shape.rank(); ++d) {
      if (d > dimensions.back()) inner *= broadcast.shape.dimensions(d);
      if (d >= dimensions.front() && d <= dimensions.back()) count *= broadcast.shape.dimensions(d);
    }
    const Cell cell = NewCell(broadcast.shape.element_type());
    line_.repetitions_.push_back({static_cast<int>(operand.parameter_number), inner, count, cell});
    return cell;
  }

  Cell AddStep(const HloInstruction& instruction) {
    Step step{.kernel = KernelOf(instruction), .operands = {}, .result = {}};
    for (const HloInstruction* operand : instruction.operands) step.operands.push_back(cells_.at(operand));
    const PrimitiveType type = instruction.shape.element_type();
    std::vector<Cell>& unused = unused_[StorageBytes(type)];
    if (unused.empty()) unused.push_back(NewCell(type));
    step.result = unused.back();
    unused.pop_back();
    for (const HloInstruction* operand : instruction.operands) {
      if (!EndsAt(*operand, instruction)) continue;
      const Cell& cell = cells_.at(operand);
      unused_[cell.bytes].push_back(cell);
      last_user_.erase(operand);
    }
    line_.steps_.push_back(step);
    return step.result;
  }

  // True if no instruction after `user` needs the cell of `operand`. Cells that are written once for many blocks are
  // kept, and so are those of scalars, which broadcasts share.
  bool EndsAt(const HloInstruction& operand, const HloInstruction& user) const {
    const auto last = last_user_.find(&operand);
    return last != last_user_.end() && last->second == &user && !operand.shape.IsScalar() &&
           !operand.operands.empty() && !IsRepetition(operand);
  }

  Cell NewCell(PrimitiveType type) {
    const Cell cell{.parameter = -1, .offset = line_.scratch_bytes_, .bytes = StorageBytes(type)};
    line_.scratch_bytes_ += kBlock * cell.bytes;
    return cell;
  }

  const HloComputation& computation_;
  ElementWiseLine& line_;
  std::unordered_map<const HloInstruction*, const HloInstruction*> last_user_;
  std::unordered_map<const HloInstruction*, Cell> cells_;
  std::unordered_map<int, std::vector<Cell>> unused_;  // free cells, by the bytes of an element
};

std::shared_ptr<const ElementWiseLine> ElementWiseLine::Make(const HloComputation& computation) {
  auto line = std::make_shared<ElementWiseLine>();
  return Builder(computation, *line).Build() ? line : nullptr;
}

void ElementWiseLine::Repeat(const Repetition& repetition, const std::byte* from, std::byte* to, std::int64_t begin,
                             std::int64_t count) {
  const int bytes = repetition.cell.bytes;
  for (std::int64_t done = 0; done < count;) {
    const std::int64_t at = begin + done, element = at / repetition.inner % repetition.count;
    const std::byte* const source = from + element * bytes;
    std::int64_t run = 0;
    if (repetition.inner == 1) {
      run = std::min(count - done, repetition.count - element);
      std::memcpy(to + done * bytes, source, run * bytes);
    } else {
      run = std::min(count - done, repetition.inner - at % repetition.inner);
      FillWith(bytes, source, to + done * bytes, run);
    }
    done += run;
  }
}

void ElementWiseLine::Run(std::span<const std::byte* const> parameters, std::byte* result, std::int64_t begin,
                          std::int64_t end) const {
  // One scratch area per thread is enough, because kernels never call back.
  thread_local std::vector<std::byte> scratch;
  if (static_cast<std::int64_t>(scratch.size()) < scratch_bytes_) scratch.resize(scratch_bytes_);
  const std::int64_t most = std::min(end - begin, kBlock);
  for (const Constant& constant : constants_) {
    FillWith(constant.cell.bytes, constant.literal->data(), scratch.data() + constant.cell.offset, most);
  }
  for (const Repetition& repetition : repetitions_) {
    if (repetition.count != 1) continue;
    FillWith(repetition.cell.bytes, parameters[repetition.parameter], scratch.data() + repetition.cell.offset, most);
  }
  std::vector<const std::byte*> operands;
  for (std::int64_t first = begin; first < end; first += kBlock) {
    const std::int64_t count = std::min(kBlock, end - first);
    for (const Repetition& repetition : repetitions_) {
      if (repetition.count == 1) continue;
      Repeat(repetition, parameters[repetition.parameter], scratch.data() + repetition.cell.offset, first, count);
    }
    for (const Step& step : steps_) {
      operands.clear();
      for (const Cell& cell : step.operands) {
        operands.push_back(cell.parameter >= 0 ? parameters[cell.parameter] + first * cell.bytes
                                               : scratch.data() + cell.offset);
      }
      const bool is_last = &step == &steps_.back();
      step.kernel(operands, is_last ? result + first * root_.bytes : scratch.data() + step.result.offset, count);
    }
  }
}

}  // namespace assay::simd
