#include "backends/simd/element_wise_line.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "backends/simd/simd.h"

namespace assay::simd {
namespace {

// Elements that every step of a line takes before the next one does: what passes between them stays in the first-level
// cache.
constexpr std::int64_t kBlock = 1024;

bool IsFixedArray(const Shape& shape) {
  if (!shape.IsArray()) return false;
  for (std::int64_t d = 0; d < shape.rank(); ++d) {
    if (shape.is_dynamic_dimension(d)) return false;
  }
  return true;
}

bool IsScalar(const HloInstruction& instruction) {
  return instruction.shape.IsArray() && instruction.shape.rank() == 0;
}

bool IsRepeatedScalar(const HloInstruction& instruction) {
  static const Op* const broadcast = FindOp("broadcast");
  return instruction.op == broadcast && IsScalar(instruction.operand(0));
}

}  // namespace

Kernel KernelOf(const HloInstruction& instruction) {
  const auto own = Overrides().find(instruction.op);
  const Op& op = own == Overrides().end() ? *instruction.op : *own->second;
  return op.evaluation.kernel == nullptr ? Kernel() : op.evaluation.kernel(instruction);
}

bool IsElementWise(const HloInstruction& instruction) {
  const Shape& shape = instruction.shape;
  if (!IsFixedArray(shape)) return false;
  if (IsRepeatedScalar(instruction)) return true;
  if (instruction.op->evaluation.kernel == nullptr || instruction.operands.empty()) return false;
  for (const HloInstruction* operand : instruction.operands) {
    if (!operand->shape.IsArray() ||
        (operand->shape.rank() != 0 && operand->shape.dimensions() != shape.dimensions())) {
      return false;
    }
  }
  return KernelOf(instruction) != nullptr;
}

std::shared_ptr<const ElementWiseLine> ElementWiseLine::Make(const HloComputation& computation) {
  auto line = std::make_shared<ElementWiseLine>();
  return line->Append(computation) ? line : nullptr;
}

bool ElementWiseLine::Append(const HloComputation& computation) {
  const Shape& shape = computation.root->shape;
  if (!IsFixedArray(shape) || computation.root->op->role == OpRole::kParameter) return false;
  std::unordered_map<const HloInstruction*, const HloInstruction*> last_user;
  for (const auto& instruction : computation.instructions) {
    for (const HloInstruction* operand : instruction->operands) last_user[operand] = instruction.get();
  }
  std::unordered_map<const HloInstruction*, Cell> cells;
  // Scratch memory of values that are not used any more, by the bytes of an element.
  std::unordered_map<int, std::vector<std::int64_t>> unused;
  const auto new_cell = [&](const Shape& of) {
    Cell cell{.parameter = -1, .offset = 0, .bytes = StorageBytes(of.element_type())};
    std::vector<std::int64_t>& offsets = unused[cell.bytes];
    if (offsets.empty()) {
      offsets.push_back(scratch_bytes_);
      scratch_bytes_ += kBlock * cell.bytes;
    }
    cell.offset = offsets.back();
    offsets.pop_back();
    return cell;
  };
  for (const auto& owned : computation.instructions) {
    const HloInstruction& instruction = *owned;
    const bool fits = IsFixedArray(instruction.shape) &&
                      (IsScalar(instruction) || instruction.shape.dimensions() == shape.dimensions());
    if (!fits || !instruction.control_predecessors.empty()) return false;
    if (instruction.op->role == OpRole::kParameter) {
      cells[&instruction] = {.parameter = static_cast<int>(instruction.parameter_number),
                             .offset = 0,
                             .bytes = StorageBytes(instruction.shape.element_type())};
    } else if (instruction.op->role == OpRole::kConstant && IsScalar(instruction)) {
      // Constants are written once for all blocks, so that nothing else may take their place.
      const int bytes = StorageBytes(instruction.shape.element_type());
      cells[&instruction] = {.parameter = -1, .offset = scratch_bytes_, .bytes = bytes};
      scratch_bytes_ += kBlock * bytes;
      constants_.push_back({&*instruction.literal, cells[&instruction]});
      last_user.erase(&instruction);
    } else if (!IsElementWise(instruction)) {
      return false;
    } else if (IsRepeatedScalar(instruction)) {
      // The scalar's cell is as full as an array's. It lives as long as either.
      const HloInstruction* const scalar = instruction.operands[0];
      cells[&instruction] = cells.at(scalar);
      last_user.erase(scalar);
      last_user.erase(&instruction);
    } else {
      Step step{.kernel = KernelOf(instruction), .operands = {}, .result = new_cell(instruction.shape)};
      for (const HloInstruction* operand : instruction.operands) step.operands.push_back(cells.at(operand));
      for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
        const HloInstruction* const operand = instruction.operands[i];
        const auto last = last_user.find(operand);
        if (last == last_user.end() || last->second != &instruction || cells.at(operand).parameter >= 0) continue;
        unused[cells.at(operand).bytes].push_back(cells.at(operand).offset);
        last_user.erase(last);
      }
      cells[&instruction] = step.result;
      steps_.push_back(std::move(step));
    }
  }
  root_ = cells.at(computation.root);
  return !steps_.empty() && steps_.back().result.offset == root_.offset && root_.parameter < 0;
}

void ElementWiseLine::Run(std::span<const std::byte* const> parameters, std::byte* result, std::int64_t n) const {
  // Kernels never call back, so one scratch area a thread is enough.
  thread_local std::vector<std::byte> scratch;
  if (static_cast<std::int64_t>(scratch.size()) < scratch_bytes_) scratch.resize(scratch_bytes_);
  for (const Constant& constant : constants_) {
    for (std::int64_t i = 0; i < std::min(n, kBlock); ++i) {
      std::memcpy(scratch.data() + constant.cell.offset + i * constant.cell.bytes, constant.literal->data(),
                  constant.cell.bytes);
    }
  }
  std::vector<const std::byte*> operands;
  for (std::int64_t begin = 0; begin < n; begin += kBlock) {
    const std::int64_t count = std::min(kBlock, n - begin);
    for (const Step& step : steps_) {
      operands.clear();
      for (const Cell& cell : step.operands) {
        operands.push_back(cell.parameter >= 0 ? parameters[cell.parameter] + begin * cell.bytes
                                               : scratch.data() + cell.offset);
      }
      const bool is_last = &step == &steps_.back();
      step.kernel(operands, is_last ? result + begin * root_.bytes : scratch.data() + step.result.offset, count);
    }
  }
}

}  // namespace assay::simd
