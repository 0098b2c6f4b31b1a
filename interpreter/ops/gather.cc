#include <algorithm>

#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/index_vectors.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

using namespace plain;

Status CheckSliceSizes(const HloInstruction& instruction, const Indexing& indexing) {
  const Shape& operand = instruction.operand(0).shape;
  const auto sizes = instruction.Int64s("slice_sizes");
  if (static_cast<std::int64_t>(sizes.size()) != operand.rank()) {
    return Illegal(instruction, "slice_sizes must have an entry for each of the {} operand dimensions, found {}",
                   operand.rank(), sizes.size());
  }
  const std::size_t offsets = instruction.Int64s("offset_dims").size();
  const std::size_t collapsed = indexing.collapsed_dims.numbers.size();
  const std::size_t batching = indexing.operand_batching_dims.numbers.size();
  if (sizes.size() != offsets + collapsed + batching) {
    return Illegal(
        instruction,
        "each of the {} operand dimensions must be an offset, a collapsed or a batching dimension, found {}, "
        "{} and {} of them",
        sizes.size(), offsets, collapsed, batching);
  }
  for (std::int64_t d = 0; d < operand.rank(); ++d) {
    if (sizes[d] < 0 || sizes[d] > operand.dimensions(d)) {
      return Illegal(instruction, "the slice size of dimension {} must be in [0, {}], found {}", d,
                     operand.dimensions(d), sizes[d]);
    }
  }
  for (const DimensionNumbers& list : {indexing.collapsed_dims, indexing.operand_batching_dims}) {
    for (std::int64_t d : list.numbers) {
      if (sizes[d] > 1) {
        return Illegal(instruction, "the slice size of dimension {} of {} must be at most 1, found {}", d, list.name,
                       sizes[d]);
      }
    }
  }
  return {};
}

// A collapsed or batching dimension may have slice size 0 only if the result is empty (docs/decisions.md, Indices).
Status CheckSlicesHaveElements(const HloInstruction& instruction, const Indexing& indexing, std::int64_t elements) {
  const auto sizes = instruction.Int64s("slice_sizes");
  for (const DimensionNumbers& list : {indexing.collapsed_dims, indexing.operand_batching_dims}) {
    for (std::int64_t d : list.numbers) {
      if (sizes[d] > 0 || elements == 0) continue;
      return Illegal(instruction, "the slice size of dimension {} of {} must be 1, found 0: the result has elements", d,
                     list.name);
    }
  }
  return {};
}

Result<Shape> InferGather(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckArrayOperand(instruction, 0));
  const Shape& operand = instruction.operand(0).shape;
  const Shape& indices = instruction.operand(1).shape;
  const Indexing indexing = IndexingOfGather(instruction);
  ASSAY_CHECK_OK(CheckIndexing(instruction, indexing, operand, indices));
  ASSAY_CHECK_OK(CheckSliceSizes(instruction, indexing));
  const DimensionNumbers offset_dims = {"offset_dims", instruction.Int64s("offset_dims")};
  const Dimensions batch = BatchDimensions(indices, indexing.index_vector_dim);
  const auto rank = static_cast<std::int64_t>(offset_dims.numbers.size() + batch.size());
  ASSAY_CHECK_OK(CheckAscending(instruction, offset_dims, rank));

  Dimensions sizes;
  std::size_t next_batch = 0, next_offset = 0;
  const auto window = WindowDimensions(indexing, operand.rank());
  for (std::int64_t d = 0; d < rank; ++d) {
    const bool is_offset = next_offset < window.size() && offset_dims.numbers[next_offset] == d;
    sizes.push_back(is_offset ? instruction.Int64s("slice_sizes")[window[next_offset++]] : batch[next_batch++]);
  }
  ASSAY_CHECK_OK(CheckSlicesHaveElements(instruction, indexing, Product(sizes)));
  return ShapeUtil::MakeShape(operand.element_type(), std::move(sizes));
}

// result[index] = operand[start + offset]. The batch dimensions of `index` select a start index. Its offset_dims are
// the offset in the slice there; collapsed and batching dimensions have offset 0. Clamps the start so that the slice is
// inside the operand (docs/decisions.md, Indices). Ignores indices_are_sorted, which is a promise of the program.
Literal EvaluateGather(const HloInstruction& gather, std::span<Literal> operands, Evaluation&) {
  const Literal &operand = operands[0], &indices = operands[1];
  const std::int64_t rank = operand.shape().rank();
  const Indexing indexing = IndexingOfGather(gather);
  const auto slice_sizes = gather.Int64s("slice_sizes"), offset_dims = gather.Int64s("offset_dims");
  const Index batch_dims = OtherDimensions(offset_dims, gather.shape.rank());
  const Index in_slice = WindowDimensions(indexing, rank);
  Outputs result(gather.shape);
  ForEachIndex(result.bounds(), [&](const Index& index) {
    Index start = StartAt(Entries(index, batch_dims), indices, indexing, rank);
    for (std::int64_t d = 0; d < rank; ++d) {
      start[d] = std::clamp<std::int64_t>(start[d], 0, operand.shape().dimensions(d) - slice_sizes[d]);
    }
    Index offset(rank);
    Place(Entries(index, offset_dims), in_slice, offset);
    result.Set(index, At(operand, Plus(start, offset)));
  });
  return std::move(result).Take();
}

void FitGather(HloInstruction& gather) {
  const auto written = gather.Int64s("slice_sizes");
  Int64List sizes(written.begin(), written.end());
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    sizes[d] = std::min(sizes[d], gather.operand(0).shape.dimensions(d));
  }
  gather.Set("slice_sizes", std::move(sizes));
  EqualizeBatching(gather, IndexingOfGather(gather), 1);
}

}  // namespace

const Op op_gather = {
    .name = "gather",
    .meaning = "Slices of the operand at indices, joined.",
    .syntax =
        {
            .attributes = {Required("offset_dims", AttributeKind::kInt64List),
                           Required("collapsed_slice_dims", AttributeKind::kInt64List),
                           Required("start_index_map", AttributeKind::kInt64List),
                           DimensionList("operand_batching_dims"), DimensionList("start_indices_batching_dims"),
                           Required("index_vector_dim", AttributeKind::kInt64),
                           Required("slice_sizes", AttributeKind::kInt64List), Flag("indices_are_sorted")},
        },
    .legality = {.arity = Exactly(2), .types = kArrays, .infer = InferGather},
    .evaluation = {.evaluate = EvaluateGather, .fit_run_time_sizes = FitGather},
};

}  // namespace assay
