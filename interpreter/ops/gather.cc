#include <algorithm>

#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/images.h"
#include "interpreter/ops/common/index_vectors.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/strided_copy.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

constexpr std::int64_t kParallelElements = 1 << 16;

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

// A dimension of no element can be left out of a slice only where no slice is asked for.
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

Result<Shape> Infer(const HloInstruction& instruction) {
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

Literal Evaluate(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  const Literal& operand = operands[0];
  const Shape& shape = instruction.shape;
  const Indexing indexing = IndexingOfGather(instruction);
  const auto slice_sizes = instruction.Int64s("slice_sizes");
  Literal result = Literal::Uninitialized(shape);
  if (result.element_count() == 0) return result;

  const auto operand_strides = RowMajorStrides(operand.shape().dimensions());
  auto batch_strides = RowMajorStrides(shape.dimensions());
  std::vector<std::int64_t> window_sizes, from_strides, to_strides;
  for (std::int64_t d : WindowDimensions(indexing, operand.shape().rank())) {
    window_sizes.push_back(slice_sizes[d]);
    from_strides.push_back(operand_strides[d]);
  }
  const auto offset_dims = instruction.Int64s("offset_dims");
  for (std::int64_t d : offset_dims) to_strides.push_back(batch_strides[d]);
  for (std::size_t i = offset_dims.size(); i-- > 0;) batch_strides.erase(batch_strides.begin() + offset_dims[i]);

  const int bytes = StorageBytes(shape.element_type());
  const StridedCopy copy(bytes, window_sizes, from_strides, to_strides);
  const IndexVectors vectors(operands[1], indexing);
  std::byte* out = result.mutable_data();
  const std::int64_t count = Product(vectors.batch_dimensions());
  const std::int64_t grain = std::max<std::int64_t>(1, kParallelElements / copy.element_count());
  const auto gather = [&](std::int64_t begin, std::int64_t end, auto&& copy_slice) {
    std::vector<std::int64_t> position(batch_strides.size()), starts(operand_strides.size());
    for (std::int64_t n = begin; n < end; ++n) {
      IndexAt(n, vectors.batch_dimensions(), position);
      vectors.StartsAt(position, starts);
      std::int64_t from = 0, to = 0;
      for (std::size_t d = 0; d < starts.size(); ++d) {
        const std::int64_t last = operand.shape().dimensions(d) - slice_sizes[d];
        from += std::clamp<std::int64_t>(starts[d], 0, last) * operand_strides[d];
      }
      for (std::size_t d = 0; d < position.size(); ++d) to += position[d] * batch_strides[d];
      copy_slice(operand.data() + from * bytes, out + to * bytes);
    }
  };
  if (count == 1) {
    gather(0, 1, [&](const std::byte* from, std::byte* to) { copy.ParallelCopy(from, to); });
  } else {
    ParallelFor(count, grain, [&](std::int64_t begin, std::int64_t end) {
      gather(begin, end, [&](const std::byte* from, std::byte* to) { copy.Copy(from, to); });
    });
  }
  return result;
}

void FitRunTimeSizes(HloInstruction& gather) {
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
    .legality = {.arity = Exactly(2), .types = kArrays, .infer = Infer},
    .evaluation = {.evaluate = Evaluate, .fit_run_time_sizes = FitRunTimeSizes},
    .acceptance = {.image = MovesOperands<0>, .keeps_terms = true},
};

}  // namespace assay
