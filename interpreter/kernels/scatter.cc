// Treats windows of updates as strided boxes. Their elements are sorted by target and combined in rounds, or summed in
// lanes.
#include <utility>

#include "interpreter/kernels/common/index_vector_reader.h"
#include "interpreter/kernels/common/scatter_updates.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/common/fold_rules.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/limits.h"

namespace assay {
namespace {

// Returns the windows of the updates that are inside the operand, in row-major order of the indices.
bool IsInside(std::span<const std::int64_t> starts, std::span<const std::int64_t> last_starts) {
  for (std::size_t d = 0; d < starts.size(); ++d) {
    if (starts[d] < 0 || starts[d] > last_starts[d]) return false;
  }
  return true;
}

ScatterWindows WindowsOf(const HloInstruction& instruction, const Literal& indices, const Shape& operand,
                         const Shape& update) {
  const Indexing indexing = IndexingOfScatter(instruction);
  const auto operand_strides = RowMajorStrides(operand.dimensions());
  auto batch_strides = RowMajorStrides(update.dimensions());
  const auto window_dims = instruction.Int64s("update_window_dims");
  const auto operand_window = WindowDimensions(indexing, operand.rank());

  ScatterWindows windows;
  std::vector<std::int64_t> last_start = operand.dimensions();  // of a window inside
  for (std::int64_t& start : last_start) --start;
  for (std::size_t k = 0; k < window_dims.size(); ++k) {
    windows.sizes.push_back(update.dimensions(window_dims[k]));
    windows.update_strides.push_back(batch_strides[window_dims[k]]);
    windows.operand_strides.push_back(operand_strides[operand_window[k]]);
    last_start[operand_window[k]] = operand.dimensions(operand_window[k]) - windows.sizes.back();
  }
  for (std::size_t k = window_dims.size(); k-- > 0;) batch_strides.erase(batch_strides.begin() + window_dims[k]);

  if (ShapeUtil::ElementsIn(update) == 0) return windows;
  const IndexVectorReader vectors(indices, indexing);
  std::vector<std::int64_t> position(batch_strides.size()), starts(operand_strides.size());
  const std::int64_t count = Product(vectors.batch_dimensions());
  // A vector that grows returns memory to the allocator that no limit counts.
  windows.offsets.reserve(count);
  LimitCheck check;
  for (std::int64_t n = 0; n < count; ++n) {
    check();
    IndexAt(n, vectors.batch_dimensions(), position);
    vectors.StartsAt(position, starts);
    if (!IsInside(starts, last_start)) continue;
    ScatterWindows::Offsets offsets;
    for (std::size_t d = 0; d < starts.size(); ++d) offsets.operand += starts[d] * operand_strides[d];
    for (std::size_t d = 0; d < position.size(); ++d) offsets.update += position[d] * batch_strides[d];
    windows.offsets.push_back(offsets);
  }
  return windows;
}

// True if the types of the computation's parameters are those of the arrays.
bool HasTypesOfArrays(const HloComputation& combiner, std::span<const Literal> operands) {
  const std::size_t n = operands.size() / 2;
  const auto parameters = combiner.Parameters();
  for (std::size_t i = 0; i < 2 * n; ++i) {
    if (parameters[i]->shape.element_type() != operands[i < n ? i : i + 1].element_type()) return false;
  }
  return true;
}

Literal EvaluateScatter(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
  const std::size_t n = operands.size() / 2;
  const HloComputation& combiner = instruction.Computation("to_apply");
  if (!HasTypesOfArrays(combiner, operands)) return op_scatter.evaluation.evaluate(instruction, operands, evaluation);
  ScatterWindows windows = WindowsOf(instruction, operands[n], operands[0].shape(), operands[n + 1].shape());
  std::vector<Literal> results(std::make_move_iterator(operands.begin()),
                               std::make_move_iterator(operands.begin() + n));
  const std::vector<Literal> updates(std::make_move_iterator(operands.begin() + n + 1),
                                     std::make_move_iterator(operands.end()));
  const bool overwrites = n == 1 && combiner.root == combiner.Parameters()[1];
  if (windows.offsets.empty()) {
    // The result is the operand, whose buffer stays shared.
  } else if (overwrites) {
    OverwriteWindows(windows, updates[0], results[0]);
  } else {
    CombineWindows(std::move(windows), IsExactSum(combiner), *evaluation.Scalar(combiner), updates, results);
  }
  for (std::size_t i = 0; i < n; ++i) {
    results[i] = std::move(results[i]).WithShape(n == 1 ? instruction.shape : instruction.shape.tuple_shapes(i));
  }
  return n == 1 ? std::move(results[0]) : Literal::MakeTuple(std::move(results));
}

}  // namespace

const OpKernel kernel_scatter = {.op = &op_scatter, .evaluate = EvaluateScatter};

}  // namespace assay
