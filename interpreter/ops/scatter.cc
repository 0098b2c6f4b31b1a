#include <algorithm>
#include <utility>

#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/fold.h"
#include "interpreter/ops/common/images.h"
#include "interpreter/ops/common/index_vectors.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/mixed_precision.h"
#include "interpreter/ops/common/reducer_rules.h"
#include "interpreter/ops/common/scatter_updates.h"
#include "interpreter/ops/common/strided_copy.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/limits.h"

namespace assay {
namespace {

// The update dimensions of update_window_dims are at most as large as the operand dimensions that they index; the
// others have the sizes of the indices.
Status CheckUpdateDimensions(const HloInstruction& instruction, const Indexing& indexing, const Shape& operand,
                             const Shape& indices, const Shape& update) {
  const DimensionNumbers window_dims = {"update_window_dims", instruction.Int64s("update_window_dims")};
  const Dimensions batch = BatchDimensions(indices, indexing.index_vector_dim);
  const auto rank = static_cast<std::int64_t>(window_dims.numbers.size() + batch.size());
  if (update.rank() != rank) {
    return Illegal(instruction, "updates must have {} window and {} scatter dimensions, found {}",
                   window_dims.numbers.size(), batch.size(), update.ToStringWithoutLayout());
  }
  ASSAY_CHECK_OK(CheckAscending(instruction, window_dims, rank));
  const std::size_t inserted = indexing.collapsed_dims.numbers.size();
  const std::size_t batching = indexing.operand_batching_dims.numbers.size();
  if (static_cast<std::int64_t>(window_dims.numbers.size() + inserted + batching) != operand.rank()) {
    return Illegal(instruction,
                   "each of the {} operand dimensions must be a window, an inserted or a batching dimension, found {}, "
                   "{} and {} of them",
                   operand.rank(), window_dims.numbers.size(), inserted, batching);
  }
  const auto window = WindowDimensions(indexing, operand.rank());
  std::size_t next_batch = 0, next_window = 0;
  for (std::int64_t d = 0; d < rank; ++d) {
    if (next_window < window.size() && window_dims.numbers[next_window] == d) {
      const std::int64_t bound = operand.dimensions(window[next_window++]);
      if (update.dimensions(d) > bound) {
        return Illegal(instruction, "window dimension {} of the updates must be at most {}, found {}", d, bound,
                       update.dimensions(d));
      }
    } else if (update.dimensions(d) != batch[next_batch++]) {
      return Illegal(instruction, "dimension {} of the updates must have the size {} of the indices, found {}", d,
                     batch[next_batch - 1], update.dimensions(d));
    }
  }
  return {};
}

Result<Shape> Infer(const HloInstruction& instruction) {
  const std::size_t count = instruction.operands.size();
  if (count % 2 != 1) {
    return Illegal(instruction, "takes N arrays, the indices and N updates, found {} operands", count);
  }
  const std::size_t n = count / 2;
  const Indexing indexing = IndexingOfScatter(instruction);
  const Shape& indices = instruction.operand(n).shape;
  std::vector<Shape> results;
  std::vector<PrimitiveType> operand_types, update_types;
  for (std::size_t i = 0; i < n; ++i) {
    ASSAY_CHECK_OK(CheckArrayOperand(instruction, i));
    ASSAY_CHECK_OK(CheckArrayOperand(instruction, n + 1 + i));
    const Shape& operand = instruction.operand(i).shape;
    const Shape& update = instruction.operand(n + 1 + i).shape;
    if (!ShapeUtil::SameDimensions(operand, instruction.operand(0).shape) ||
        !ShapeUtil::SameDimensions(update, instruction.operand(n + 1).shape)) {
      return Illegal(instruction, "all arrays must have the same dimensions, and all updates, found {} and {} for {}",
                     operand.ToStringWithoutLayout(), update.ToStringWithoutLayout(), i);
    }
    results.push_back(operand);
    operand_types.push_back(operand.element_type());
    update_types.push_back(update.element_type());
  }
  const Shape& operand = instruction.operand(0).shape;
  ASSAY_CHECK_OK(CheckIndexing(instruction, indexing, operand, indices));
  ASSAY_CHECK_OK(CheckUpdateDimensions(instruction, indexing, operand, indices, instruction.operand(n + 1).shape));
  ASSAY_CHECK_OK(CheckReducer(instruction, instruction.Computation("to_apply"), update_types, operand_types));
  return n == 1 ? results[0] : ShapeUtil::MakeTupleShape(std::move(results));
}

// What becomes of a window of which a part lies outside of the operand.
enum class PartlyOutside {
  kIsDropped,  // XLA's rule
  kIsApplied,  // inside: the specification's words are about single elements
};

// The windows of the updates that are combined in, in row-major order of the indices. Where windows may be applied in
// part, each element is a window of its own.
ScatterWindows WindowsOf(const HloInstruction& instruction, const Literal& indices, const Shape& operand,
                         const Shape& update, PartlyOutside partly_outside) {
  const Indexing indexing = IndexingOfScatter(instruction);
  const auto operand_strides = RowMajorStrides(operand.dimensions());
  auto batch_strides = RowMajorStrides(update.dimensions());
  const auto window_dims = instruction.Int64s("update_window_dims");
  const auto operand_window = WindowDimensions(indexing, operand.rank());

  ScatterWindows windows;
  const bool is_whole = partly_outside == PartlyOutside::kIsDropped;
  Dimensions pieces;                                            // how many windows an index gives
  std::vector<std::int64_t> last_start = operand.dimensions();  // of a window inside
  for (std::int64_t& start : last_start) --start;
  for (std::size_t k = 0; k < window_dims.size(); ++k) {
    const std::int64_t size = update.dimensions(window_dims[k]);
    windows.sizes.push_back(is_whole ? size : 1);
    pieces.push_back(is_whole ? 1 : size);
    windows.update_strides.push_back(batch_strides[window_dims[k]]);
    windows.operand_strides.push_back(operand_strides[operand_window[k]]);
    last_start[operand_window[k]] = operand.dimensions(operand_window[k]) - windows.sizes.back();
  }
  for (std::size_t k = window_dims.size(); k-- > 0;) batch_strides.erase(batch_strides.begin() + window_dims[k]);

  if (ShapeUtil::ElementsIn(update) == 0) return windows;
  const IndexVectors vectors(indices, indexing);
  std::vector<std::int64_t> position(batch_strides.size()), starts(operand_strides.size()), piece(pieces.size());
  const std::int64_t count = Product(vectors.batch_dimensions()), pieces_of_each = Product(pieces);
  // A vector that grows leaves the allocator memory that no limit counts.
  windows.offsets.reserve(count * pieces_of_each);
  LimitCheck check(/*turns=*/4096);
  for (std::int64_t n = 0; n < count * pieces_of_each; ++n) {
    check();
    IndexAt(n / pieces_of_each, vectors.batch_dimensions(), position);
    IndexAt(n % pieces_of_each, pieces, piece);
    vectors.StartsAt(position, starts);
    ScatterWindows::Offsets offsets;
    for (std::size_t k = 0; k < piece.size(); ++k) {
      // An index so far outside that it would wrap stays where it is.
      std::int64_t& start = starts[operand_window[k]];
      if (__builtin_add_overflow(start, piece[k], &start)) start = -1;
      offsets.update += piece[k] * windows.update_strides[k];
    }
    bool is_inside = true;
    for (std::size_t d = 0; is_inside && d < starts.size(); ++d) {
      is_inside = starts[d] >= 0 && starts[d] <= last_start[d];
      if (is_inside) offsets.operand += starts[d] * operand_strides[d];
    }
    for (std::size_t d = 0; d < position.size(); ++d) offsets.update += position[d] * batch_strides[d];
    if (is_inside) windows.offsets.push_back(offsets);
  }
  return windows;
}

Literal Scatter(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation,
                PartlyOutside partly_outside, bool backwards) {
  const std::size_t n = operands.size() / 2;
  const HloComputation& combiner = instruction.Computation("to_apply");
  const auto parameters = combiner.Parameters();
  ScatterWindows windows =
      WindowsOf(instruction, operands[n], operands[0].shape(), operands[n + 1].shape(), partly_outside);
  if (backwards) std::ranges::reverse(windows.offsets);

  std::vector<Literal> results, updates;
  for (std::size_t i = 0; i < n; ++i) {
    results.push_back(WithElementType(std::move(operands[i]), parameters[i]->shape.element_type()));
    updates.push_back(WithElementType(std::move(operands[n + 1 + i]), parameters[n + i]->shape.element_type()));
  }
  const bool overwrites = n == 1 && combiner.root == parameters[1];
  if (windows.offsets.empty()) {
    // Nothing to do, and the operand's buffer stays shared.
  } else if (overwrites && results[0].element_type() == updates[0].element_type()) {
    OverwriteWindows(windows, updates[0], results[0]);
  } else if (AddsSideBySide(combiner, n)) {
    AddWindows(std::move(windows), updates, results);
  } else {
    CombineWindows(std::move(windows), *evaluation.Scalar(combiner), updates, results);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Shape& shape = n == 1 ? instruction.shape : instruction.shape.tuple_shapes(i);
    results[i] = WithElementType(std::move(results[i]), shape.element_type()).WithShape(shape);
  }
  return n == 1 ? std::move(results[0]) : Literal::MakeTuple(std::move(results));
}

Literal Evaluate(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
  return Scatter(instruction, operands, evaluation, PartlyOutside::kIsDropped, /*backwards=*/false);
}

Literal EvaluateBackwards(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
  return Scatter(instruction, operands, evaluation, PartlyOutside::kIsDropped, /*backwards=*/true);
}

Literal EvaluateParts(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
  return Scatter(instruction, operands, evaluation, PartlyOutside::kIsApplied, /*backwards=*/false);
}

void FitRunTimeSizes(HloInstruction& scatter) {
  const std::size_t n = scatter.operands.size() / 2;
  EqualizeOperands(scatter, 0, n);
  const Indexing indexing = IndexingOfScatter(scatter);
  EqualizeBatching(scatter, indexing, n);
  const auto window_dims = scatter.Int64s("update_window_dims");
  const auto window = WindowDimensions(indexing, scatter.operand(0).shape.rank());
  for (std::size_t update = n + 1; update < scatter.operands.size(); ++update) {
    std::size_t next_window = 0;
    std::int64_t next_batch = 0;
    for (std::int64_t d = 0; d < scatter.operand(update).shape.rank(); ++d) {
      if (next_window < window.size() && window_dims[next_window] == d) {
        ShrinkTo(scatter, update, d, scatter.operand(0).shape.dimensions(window[next_window++]));
      } else {
        if (next_batch == indexing.index_vector_dim) ++next_batch;
        Equalize(scatter, update, d, n, next_batch++);
      }
    }
  }
  EqualizeOperands(scatter, n + 1, scatter.operands.size());
}

}  // namespace

const Op op_scatter = {
    .name = "scatter",
    .meaning = "The operand with updates combined in at indices.",
    .syntax =
        {
            .attributes = {Required("update_window_dims", AttributeKind::kInt64List),
                           Required("inserted_window_dims", AttributeKind::kInt64List),
                           Required("scatter_dims_to_operand_dims", AttributeKind::kInt64List),
                           DimensionList("input_batching_dims"), DimensionList("scatter_indices_batching_dims"),
                           Required("index_vector_dim", AttributeKind::kInt64), Flag("indices_are_sorted"),
                           Flag("unique_indices"), Required("to_apply", AttributeKind::kComputation)},
        },
    .legality = {.arity = AtLeast(3), .types = kArrays, .layouts = LayoutRule::kKept, .infer = Infer},
    .evaluation = {.evaluate = Evaluate, .fit_run_time_sizes = FitRunTimeSizes},
    .acceptance = {.rule = Acceptance::kCalled,
                   .in_opposite_order = EvaluateBackwards,
                   .evaluate_otherwise = EvaluateParts,
                   .otherwise = "window in part",
                   .image = FoldImage},
};

}  // namespace assay
