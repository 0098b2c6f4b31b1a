#include "backends/simd/element_wise_line.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "backends/simd/reduce.h"
#include "backends/simd/simd.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/types/repeat.h"

namespace assay::simd {
namespace {

// The number of elements that a step processes before the next step starts, so that intermediate values stay in the
// first-level cache. Short blocks let the memory deliver the next operands while a slow step computes; blocks of rows
// are longer, because the steps for one number of each row cost a call.
constexpr std::int64_t kBlock = 512, kBlockOfRows = 2048;

}  // namespace

Kernel KernelOf(const HloInstruction& instruction) {
  const Op& op = RunningOp(instruction, Overrides());
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
  return MayBeElementWise(instruction) && KernelOf(instruction) != nullptr;
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

std::optional<LineDimensions> LineDimensions::OfReduction(const HloInstruction& instruction) {
  if (instruction.shape.IsArray() && instruction.shape.rank() > 0 && RowKernel(instruction) != nullptr) {
    return LineDimensions{instruction.operand(0).shape.dimensions(), instruction.shape.dimensions()};
  }
  return std::nullopt;
}

std::optional<LineDimensions> LineDimensions::OfGather(const HloInstruction& instruction) {
  const std::optional<RowGather> gather = RowGather::Of(instruction);
  // A single row without a dimension of its own would make each scalar of the line an array of one element a row.
  if (!gather || gather->rows().empty()) return std::nullopt;
  return LineDimensions{instruction.shape.dimensions(), gather->rows()};
}

bool LineDimensions::IsGather(const HloInstruction& instruction) const {
  if (!IsWhole(instruction)) return false;
  const std::optional<LineDimensions> found = OfGather(instruction);
  return found && found->rows == rows;
}

bool LineDimensions::IsReduction(const HloInstruction& instruction) const {
  return IsColumn(instruction) && OfReduction(instruction) && instruction.operand(0).shape.dimensions() == whole;
}

bool LineDimensions::IsBroadcastToRows(const HloInstruction& instruction) const {
  return IsWhole(instruction) && IsRepetition(instruction) && IsColumn(instruction.operand(0)) &&
         instruction.Int64s("dimensions").front() == 0;
}

namespace {

// Returns the dimensions of the arrays of a line that computes `root`.
LineDimensions DimensionsOf(const HloInstruction& root) {
  LineDimensions dimensions = {.whole = root.shape.dimensions(), .rows = std::nullopt};
  for (const auto& instruction : root.parent->instructions) {
    if (auto found = LineDimensions::OfReduction(*instruction)) return *std::move(found);
    if (auto found = LineDimensions::OfGather(*instruction)) return *std::move(found);
    const bool repeats_column = IsRepetition(*instruction) && dimensions.IsWhole(*instruction) &&
                                !instruction->operand(0).shape.IsScalar() &&
                                instruction->operand(0).op->role != OpRole::kParameter;
    if (repeats_column) dimensions.rows = instruction->operand(0).shape.dimensions();
  }
  return dimensions;
}

std::int64_t CountOf(const Dimensions& dimensions) {
  return std::accumulate(dimensions.begin(), dimensions.end(), std::int64_t{1}, std::multiplies());
}

// Returns the kernel of a broadcast to rows. Its count of elements is that of the result.
Kernel BroadcastKernel(int bytes, std::int64_t columns) {
  return [=](std::span<const std::byte* const> operands, std::byte* result, std::int64_t n) {
    RepeatEach(bytes, operands[0], n / columns, columns, result);
  };
}

}  // namespace

// A builder of the steps of a line. Later values reuse the cells that no further step needs.
class ElementWiseLine::Builder {
 public:
  Builder(const HloInstruction& root, ElementWiseLine& line)
      : root_(root), line_(line), dimensions_(DimensionsOf(root)) {
    for (const auto& instruction : root.parent->instructions) {
      for (const HloInstruction* operand : instruction->operands) last_user_[operand] = instruction.get();
    }
    line_.rows_ = CountOf(dimensions_.rows.value_or(dimensions_.whole));
    if (dimensions_.rows) line_.columns_ = CountOf(dimensions_.whole) / std::max<std::int64_t>(1, line_.rows_);
  }

  // Builds the line. Returns false if the computation contains anything else.
  bool Build() {
    if (!root_.shape.IsFixedArray() || line_.columns_ == 0) return false;
    for (const auto& instruction : root_.parent->instructions) {
      const std::optional<Cell> cell = CellOf(*instruction);
      if (!cell) return false;
      cells_[instruction.get()] = *cell;
      if (instruction.get() == &root_) break;
    }
    line_.root_ = cells_.at(&root_);
    // The last step writes the result directly.
    return has_step_.contains(&root_) && HasDimensions(root_) &&
           line_.steps_.back().result.offset == line_.root_.offset;
  }

 private:
  bool HasDimensions(const HloInstruction& instruction) const {
    return dimensions_.IsWhole(instruction) || dimensions_.IsColumn(instruction);
  }

  // Returns the elements of an array for each row. Scalars are repeated for each element.
  std::int64_t WidthOf(const HloInstruction& instruction) const {
    return dimensions_.IsColumn(instruction) ? 1 : line_.columns_;
  }

  std::optional<Cell> CellOf(const HloInstruction& instruction) {
    if (!instruction.control_predecessors.empty()) return std::nullopt;
    if (instruction.op->role == OpRole::kParameter) return CellOfParameter(instruction);
    if (instruction.op->role == OpRole::kConstant && instruction.shape.IsScalar()) {
      const Cell cell = NewCell(instruction);
      line_.constants_.push_back({&*instruction.literal, cell});
      return cell;
    }
    if (dimensions_.IsReduction(instruction)) return AddStep(instruction, RowKernel(instruction));
    if (IsRepetition(instruction) && HasDimensions(instruction)) return CellOfRepetition(instruction);
    if (dimensions_.IsGather(instruction)) return CellOfGather(instruction);
    const bool fits = instruction.shape.IsScalar() || HasDimensions(instruction);
    return fits && IsElementWise(instruction) ? std::optional(AddStep(instruction, KernelOf(instruction)))
                                              : std::nullopt;
  }

  // Returns the cell of a parameter. A scalar is repeated; an array of other dimensions than the line's is for
  // broadcasts only.
  std::optional<Cell> CellOfParameter(const HloInstruction& parameter) {
    if (!parameter.shape.IsFixedArray()) return std::nullopt;
    const auto number = static_cast<int>(parameter.parameter_number);
    if (!parameter.shape.IsScalar()) {
      const int bytes = StorageBytes(parameter.shape.element_type());
      return Cell{.parameter = number, .offset = 0, .bytes = bytes, .width = WidthOf(parameter)};
    }
    const Cell cell = NewCell(parameter);
    line_.repetitions_.push_back({number, 1, 1, cell});
    return cell;
  }

  std::optional<Cell> CellOfRepetition(const HloInstruction& broadcast) {
    const HloInstruction& operand = broadcast.operand(0);
    if (operand.shape.IsScalar()) return cells_.at(&operand);  // a scalar's cell is filled like an array's
    if (operand.op->role != OpRole::kParameter) {
      if (!dimensions_.IsBroadcastToRows(broadcast)) return std::nullopt;
      return AddStep(broadcast, BroadcastKernel(StorageBytes(broadcast.shape.element_type()), line_.columns_));
    }
    const std::span<const std::int64_t> dimensions = broadcast.Int64s("dimensions");
    std::int64_t inner = 1, count = 1;
    for (std::int64_t d = 0; d < broadcast.shape.rank(); ++d) {
      if (d > dimensions.back()) inner *= broadcast.shape.dimensions(d);
      if (d >= dimensions.front() && d <= dimensions.back()) count *= broadcast.shape.dimensions(d);
    }
    const Cell cell = NewCell(broadcast);
    line_.repetitions_.push_back({static_cast<int>(operand.parameter_number), inner, count, cell});
    return cell;
  }

  std::optional<Cell> CellOfGather(const HloInstruction& gather) {
    const HloInstruction &operand = gather.operand(0), &indices = gather.operand(1);
    if (operand.op->role != OpRole::kParameter || indices.op->role != OpRole::kParameter) return std::nullopt;
    const Cell cell = NewCell(gather);
    line_.gatherings_.push_back({*RowGather::Of(gather), static_cast<int>(operand.parameter_number),
                                 static_cast<int>(indices.parameter_number), cell});
    return cell;
  }

  Cell AddStep(const HloInstruction& instruction, Kernel kernel) {
    Step step{.kernel = std::move(kernel), .may_overwrite = IsElementWise(instruction), .operands = {}, .result = {}};
    for (const HloInstruction* operand : instruction.operands) step.operands.push_back(cells_.at(operand));
    const int bytes = StorageBytes(instruction.shape.element_type());
    std::vector<Cell>& unused = unused_[{bytes, WidthOf(instruction)}];
    if (unused.empty()) unused.push_back(NewCell(instruction));
    step.result = unused.back();
    unused.pop_back();
    for (const HloInstruction* operand : instruction.operands) {
      if (!EndsAt(*operand, instruction)) continue;
      const Cell& cell = cells_.at(operand);
      unused_[{cell.bytes, cell.width}].push_back(cell);
      last_user_.erase(operand);
    }
    line_.steps_.push_back(step);
    has_step_.insert(&instruction);
    return step.result;
  }

  // True if no instruction after `user` needs the cell of `operand`. Cells that no step writes are kept for the next
  // blocks, and so are those of scalars, which broadcasts share.
  bool EndsAt(const HloInstruction& operand, const HloInstruction& user) const {
    const auto last = last_user_.find(&operand);
    return last != last_user_.end() && last->second == &user && !operand.shape.IsScalar() &&
           has_step_.contains(&operand);
  }

  Cell NewCell(const HloInstruction& instruction) {
    constexpr std::int64_t kAlignment = 64;
    const Cell cell{.parameter = -1,
                    .offset = line_.scratch_bytes_,
                    .bytes = StorageBytes(instruction.shape.element_type()),
                    .width = WidthOf(instruction)};
    const std::int64_t bytes = line_.RowsPerBlock() * cell.width * cell.bytes;
    line_.scratch_bytes_ += (bytes + kAlignment - 1) / kAlignment * kAlignment;
    return cell;
  }

  const HloInstruction& root_;
  ElementWiseLine& line_;
  const LineDimensions dimensions_;
  std::unordered_set<const HloInstruction*> has_step_;
  std::unordered_map<const HloInstruction*, const HloInstruction*> last_user_;
  std::unordered_map<const HloInstruction*, Cell> cells_;
  // Free cells, by the bytes of an element and the width.
  std::map<std::pair<int, std::int64_t>, std::vector<Cell>> unused_;
};

std::shared_ptr<const ElementWiseLine> ElementWiseLine::Make(const HloInstruction& root) {
  auto line = std::make_shared<ElementWiseLine>();
  return Builder(root, *line).Build() ? line : nullptr;
}

void ElementWiseLine::Repeat(const Repetition& repetition, const std::byte* from, std::byte* to, std::int64_t begin,
                             std::int64_t count) {
  const int bytes = repetition.cell.bytes;
  if (repetition.count == 1) return FillWith(bytes, from, to, count);
  for (std::int64_t done = 0; done < count;) {
    const std::int64_t at = begin + done, element = at / repetition.inner % repetition.count;
    const std::byte* const source = from + element * bytes;
    std::int64_t run = 0;
    if (repetition.inner == 1) {
      run = std::min(count - done, repetition.count - element);
      std::memcpy(to + done * bytes, source, run * bytes);
    } else if (at % repetition.inner != 0 || count - done < repetition.inner) {
      run = std::min(count - done, repetition.inner - at % repetition.inner);
      FillWith(bytes, source, to + done * bytes, run);
    } else {
      const std::int64_t elements = std::min((count - done) / repetition.inner, repetition.count - element);
      RepeatEach(bytes, source, elements, repetition.inner, to + done * bytes);
      run = elements * repetition.inner;
    }
    done += run;
  }
}

std::int64_t ElementWiseLine::RowsPerBlock() const {
  return columns_ == 1 ? kBlock : std::max<std::int64_t>(1, kBlockOfRows / columns_);
}

bool ElementWiseLine::MayReplace(int parameter) const {
  const auto reads = [parameter](const auto& reader) { return reader.parameter == parameter; };
  const auto gathers = [parameter](const Gathering& gathering) {
    return gathering.operand == parameter || gathering.indices == parameter;
  };
  if (std::ranges::any_of(repetitions_, reads) || std::ranges::any_of(gatherings_, gathers)) return false;
  bool is_read = false;
  for (const Step& step : steps_) {
    for (const Cell& cell : step.operands) {
      if (cell.parameter != parameter) continue;
      if (cell.width != root_.width || cell.bytes != root_.bytes) return false;
      if (&step == &steps_.back() && !step.may_overwrite) return false;
      is_read = true;
    }
  }
  return is_read;
}

void ElementWiseLine::Run(std::span<const std::byte* const> parameters, std::byte* to, std::int64_t begin,
                          std::int64_t end) const {
  // One scratch area per thread is enough, because kernels never call back.
  thread_local std::vector<std::byte> area;
  if (static_cast<std::int64_t>(area.size()) < scratch_bytes_) area.resize(scratch_bytes_);
  std::byte* const scratch = area.data();
  const std::int64_t most = std::min(end - begin, RowsPerBlock());
  for (const Constant& constant : constants_) {
    FillWith(constant.cell.bytes, constant.literal->data(), scratch + constant.cell.offset, most * columns_);
  }
  for (const Repetition& repetition : repetitions_) {
    if (!repetition.IsAlikeInRows()) continue;
    Repeat(repetition, parameters[repetition.parameter], scratch + repetition.cell.offset, 0,
           most * repetition.cell.width);
  }
  for (std::int64_t first = begin; first < end; first += most) {
    RunBlock(parameters, scratch, to + (first - begin) * row_bytes(), first, std::min(most, end - first));
  }
}

void ElementWiseLine::RunBlock(std::span<const std::byte* const> parameters, std::byte* scratch, std::byte* to,
                               std::int64_t first, std::int64_t rows) const {
  thread_local std::vector<const std::byte*> operands;
  for (const Repetition& repetition : repetitions_) {
    if (repetition.IsAlikeInRows()) continue;
    const std::int64_t width = repetition.cell.width;
    Repeat(repetition, parameters[repetition.parameter], scratch + repetition.cell.offset, first * width, rows * width);
  }
  for (const Gathering& gathering : gatherings_) {
    gathering.gather.Copy(parameters[gathering.operand], parameters[gathering.indices], scratch + gathering.cell.offset,
                          first, first + rows);
  }
  for (const Step& step : steps_) {
    operands.clear();
    for (const Cell& cell : step.operands) {
      operands.push_back(cell.parameter >= 0 ? parameters[cell.parameter] + first * cell.width * cell.bytes
                                             : scratch + cell.offset);
    }
    const bool is_last = &step == &steps_.back();
    step.kernel(operands, is_last ? to : scratch + step.result.offset, rows * step.result.width);
  }
}

}  // namespace assay::simd
