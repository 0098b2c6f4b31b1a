#include "backends/simd/element_wise_line.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <unordered_map>

#include "backends/simd/simd.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/numerics/fill.h"

namespace assay::simd {
namespace {

// Elements that every step of a line takes before the next one does: what passes between them stays in the first-level
// cache.
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

std::shared_ptr<const ElementWiseLine> ElementWiseLine::Make(const HloComputation& computation) {
  auto line = std::make_shared<ElementWiseLine>();
  return line->Append(computation) ? line : nullptr;
}

ElementWiseLine::Cell ElementWiseLine::NewCell(PrimitiveType type) {
  const Cell cell{.parameter = -1, .offset = scratch_bytes_, .bytes = StorageBytes(type)};
  scratch_bytes_ += kBlock * cell.bytes;
  return cell;
}

bool ElementWiseLine::Append(const HloComputation& computation) {
  const Shape& shape = computation.root->shape;
  if (!shape.IsFixedArray()) return false;
  std::unordered_map<const HloInstruction*, const HloInstruction*> last_user;
  for (const auto& instruction : computation.instructions) {
    for (const HloInstruction* operand : instruction->operands) last_user[operand] = instruction.get();
  }
  std::unordered_map<const HloInstruction*, Cell> cells;
  std::unordered_map<int, std::vector<Cell>> unused;  // of values that no later step takes, by the bytes of an element
  for (const auto& owned : computation.instructions) {
    const HloInstruction& instruction = *owned;
    if (!instruction.control_predecessors.empty()) return false;
    Cell& cell = cells[&instruction];
    if (instruction.op->role == OpRole::kParameter) {
      if (!instruction.shape.IsFixedArray()) return false;
      cell.parameter = static_cast<int>(instruction.parameter_number);
      cell.bytes = StorageBytes(instruction.shape.element_type());
      // A scalar is repeated; an array of other dimensions than the result's serves broadcasts only.
      if (!instruction.shape.IsScalar()) continue;
      cell = NewCell(instruction.shape.element_type());
      repetitions_.push_back({static_cast<int>(instruction.parameter_number), 1, 1, cell});
    } else if (instruction.op->role == OpRole::kConstant && instruction.shape.IsScalar()) {
      cell = NewCell(instruction.shape.element_type());
      constants_.push_back({&*instruction.literal, cell});
    } else if (IsRepetition(instruction) && instruction.shape.dimensions() == shape.dimensions()) {
      const HloInstruction& operand = instruction.operand(0);
      if (operand.shape.IsScalar()) {
        cell = cells.at(&operand);  // its cell is as full as an array's
      } else if (operand.op->role == OpRole::kParameter) {
        cell = AppendRepetition(instruction);
      } else {
        return false;
      }
    } else {
      const bool fits = instruction.shape.IsScalar() || instruction.shape.dimensions() == shape.dimensions();
      if (!fits || !IsElementWise(instruction)) return false;
      Step step{.kernel = KernelOf(instruction), .operands = {}, .result = {}};
      for (const HloInstruction* operand : instruction.operands) step.operands.push_back(cells.at(operand));
      const int bytes = StorageBytes(instruction.shape.element_type());
      std::vector<Cell>& free = unused[bytes];
      if (free.empty()) free.push_back(NewCell(instruction.shape.element_type()));
      step.result = free.back();
      free.pop_back();
      for (const HloInstruction* operand : instruction.operands) {
        // What is written once for many blocks keeps its cell, and so does a scalar that a broadcast stands for.
        const auto last = last_user.find(operand);
        const bool ends = last != last_user.end() && last->second == &instruction && !operand->shape.IsScalar() &&
                          !operand->operands.empty() && !IsRepetition(*operand);
        if (!ends) continue;
        unused[cells.at(operand).bytes].push_back(cells.at(operand));
        last_user.erase(last);
      }
      cell = step.result;
      steps_.push_back(std::move(step));
    }
  }
  root_ = cells.at(computation.root);
  // The last step writes the result itself.
  return !steps_.empty() && IsElementWise(*computation.root) && steps_.back().result.offset == root_.offset;
}

ElementWiseLine::Cell ElementWiseLine::AppendRepetition(const HloInstruction& broadcast) {
  const HloInstruction& operand = broadcast.operand(0);
  const std::span<const std::int64_t> dimensions = broadcast.Int64s("dimensions");
  std::int64_t inner = 1, count = 1;
  for (std::int64_t d = 0; d < broadcast.shape.rank(); ++d) {
    if (d > dimensions.back()) inner *= broadcast.shape.dimensions(d);
    if (d >= dimensions.front() && d <= dimensions.back()) count *= broadcast.shape.dimensions(d);
  }
  const Cell cell = NewCell(broadcast.shape.element_type());
  repetitions_.push_back({static_cast<int>(operand.parameter_number), inner, count, cell});
  return cell;
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
  // Kernels never call back, so one scratch area a thread is enough.
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
