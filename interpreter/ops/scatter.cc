#include <map>
#include <utility>

#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/index_vectors.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/reducer_rules.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

using namespace plain;

// Checks the update's dimensions. Those of update_window_dims are at most as large as the operand dimensions that they
// index. The others have the sizes of the indices.
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

Result<Shape> InferScatter(const HloInstruction& instruction) {
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

// True if the whole window of these sizes at `start` is inside the operand.
bool IsInBounds(const Index& start, const Index& sizes, Bounds bounds) {
  for (std::size_t d = 0; d < bounds.size(); ++d) {
    if (start[d] < 0 || start[d] > bounds[d] - sizes[d]) return false;
  }
  return true;
}

// Combines the updates of each window into the operands, window by window in row-major order of the indices. Skips a
// window that is partly out of bounds, as XLA does (docs/decisions.md, Indices). Ignores indices_are_sorted and
// unique_indices, which are promises of the program: this order needs neither.
Literal EvaluateScatter(const HloInstruction& scatter, std::span<Literal> operands, Evaluation& evaluation) {
  const std::size_t n = operands.size() / 2;
  const auto arrays = operands.first(n), updates = operands.last(n);
  const Dimensions &bounds = arrays[0].shape().dimensions(), &update_bounds = updates[0].shape().dimensions();
  const std::int64_t rank = std::ssize(bounds);
  const Indexing indexing = IndexingOfScatter(scatter);
  const auto window_dims = scatter.Int64s("update_window_dims");
  const Index batch_dims = OtherDimensions(window_dims, std::ssize(update_bounds));
  const Index in_window = WindowDimensions(indexing, rank), window_bounds = Entries(update_bounds, window_dims);
  Index sizes(rank, 1);
  Place(window_bounds, in_window, sizes);

  const Folder folder(scatter.Computation("to_apply"), evaluation);
  std::map<Index, Fold> folds;  // one for each element of the operands that is updated
  ForEachIndex(Entries(update_bounds, batch_dims), [&](const Index& batch) {
    const Index start = StartAt(batch, operands[n], indexing, rank);
    if (!IsInBounds(start, sizes, bounds)) return;
    ForEachIndex(window_bounds, [&](const Index& offset) {
      Index in_operand(rank), update(update_bounds.size());
      Place(offset, in_window, in_operand);
      Place(batch, batch_dims, update);
      Place(offset, window_dims, update);
      const Index target = Plus(start, in_operand);
      const auto fold = folds.try_emplace(target, folder.From(RowAt(arrays, target))).first;
      fold->second.Add(RowAt(updates, update));
    });
  });
  Outputs result(scatter.shape, arrays);
  for (const auto& [target, fold] : folds) result.Set(target, fold.Result());
  return std::move(result).Take();
}

void FitScatter(HloInstruction& scatter) {
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
    .legality = {.arity = AtLeast(3), .types = kArrays, .layouts = LayoutRule::kKept, .infer = InferScatter},
    .evaluation = {.evaluate = EvaluateScatter, .fit_run_time_sizes = FitScatter},
};

}  // namespace assay
