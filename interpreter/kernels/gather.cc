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

Literal EvaluateGather(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
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
  const IndexVectorReader vectors(operands[1], indexing);
  std::byte* out = result.mutable_data();
  const std::int64_t count = Product(vectors.batch_dimensions());
  const std::int64_t grain = GrainOfRows(copy.element_count(), kMovedPerPiece);
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

}  // namespace

const OpKernel kernel_gather = {.op = &op_gather, .evaluate = EvaluateGather};

}  // namespace assay
