// Copies slices as strided boxes, on every thread.
#include <algorithm>
#include <vector>

#include "interpreter/kernels/common/index_vector_reader.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

// Strides of the operand and of the result, by element: along the dimensions of a slice, and along those that place it.
struct GatherStrides {
  std::vector<std::int64_t> slice_sizes, in_operand, in_result;  // of the dimensions of a slice
  std::vector<std::int64_t> starts;                              // of every dimension of the operand
  std::vector<std::int64_t> batch;                               // of the result's batch dimensions
};

GatherStrides StridesOfGather(const HloInstruction& gather, const Indexing& indexing) {
  const Shape& operand = gather.operand(0).shape;
  const auto sizes = gather.Int64s("slice_sizes"), offset_dims = gather.Int64s("offset_dims");
  GatherStrides strides;
  strides.starts = RowMajorStrides(operand.dimensions());
  strides.batch = RowMajorStrides(gather.shape.dimensions());
  for (const std::int64_t d : WindowDimensions(indexing, operand.rank())) {
    strides.slice_sizes.push_back(sizes[d]);
    strides.in_operand.push_back(strides.starts[d]);
  }
  for (const std::int64_t d : offset_dims) strides.in_result.push_back(strides.batch[d]);
  for (std::size_t i = offset_dims.size(); i-- > 0;) strides.batch.erase(strides.batch.begin() + offset_dims[i]);
  return strides;
}

Literal EvaluateGather(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  const Literal& operand = operands[0];
  const Indexing indexing = IndexingOfGather(instruction);
  const auto slice_sizes = instruction.Int64s("slice_sizes");
  Literal result = Literal::Uninitialized(instruction.shape);
  if (result.element_count() == 0) return result;

  const GatherStrides strides = StridesOfGather(instruction, indexing);
  const int bytes = StorageBytes(instruction.shape.element_type());
  const StridedCopy copy(bytes, strides.slice_sizes, strides.in_operand, strides.in_result);
  const IndexVectorReader vectors(operands[1], indexing);
  std::byte* out = result.mutable_data();
  const std::int64_t count = Product(vectors.batch_dimensions());
  const auto gather = [&](std::int64_t begin, std::int64_t end, auto&& copy_slice) {
    std::vector<std::int64_t> position(strides.batch.size()), starts(strides.starts.size());
    for (std::int64_t n = begin; n < end; ++n) {
      IndexAt(n, vectors.batch_dimensions(), position);
      vectors.StartsAt(position, starts);
      std::int64_t from = 0, to = 0;
      for (std::size_t d = 0; d < starts.size(); ++d) {
        const std::int64_t last = operand.shape().dimensions(d) - slice_sizes[d];
        from += std::clamp<std::int64_t>(starts[d], 0, last) * strides.starts[d];
      }
      for (std::size_t d = 0; d < position.size(); ++d) to += position[d] * strides.batch[d];
      copy_slice(operand.data() + from * bytes, out + to * bytes);
    }
  };
  if (count == 1) {
    gather(0, 1, [&](const std::byte* from, std::byte* to) { copy.ParallelCopy(from, to); });
    return result;
  }
  ParallelFor(count, GrainOfRows(copy.element_count(), kMovedPerPiece), [&](std::int64_t begin, std::int64_t end) {
    gather(begin, end, [&](const std::byte* from, std::byte* to) { copy.Copy(from, to); });
  });
  return result;
}

}  // namespace

const OpKernel kernel_gather = {.op = &op_gather, .evaluate = EvaluateGather};

}  // namespace assay
