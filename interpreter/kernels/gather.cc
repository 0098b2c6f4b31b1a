// Copies slices as strided boxes, on every thread.
#include <algorithm>
#include <cstring>
#include <utility>
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
  std::vector<std::int64_t> last_starts;                         // the last index at which a slice can start
  std::vector<std::int64_t> batch;                               // of the result's batch dimensions
};

GatherStrides StridesOfGather(const HloInstruction& gather, const Indexing& indexing) {
  const Shape& operand = gather.operand(0).shape;
  const auto sizes = gather.Int64s("slice_sizes"), offset_dims = gather.Int64s("offset_dims");
  GatherStrides strides;
  strides.starts = RowMajorStrides(operand.dimensions());
  strides.batch = RowMajorStrides(gather.shape.dimensions());
  for (std::int64_t d = 0; d < operand.rank(); ++d) strides.last_starts.push_back(operand.dimensions(d) - sizes[d]);
  for (const std::int64_t d : WindowDimensions(indexing, operand.rank())) {
    strides.slice_sizes.push_back(sizes[d]);
    strides.in_operand.push_back(strides.starts[d]);
  }
  for (const std::int64_t d : offset_dims) strides.in_result.push_back(strides.batch[d]);
  for (std::size_t i = offset_dims.size(); i-- > 0;) strides.batch.erase(strides.batch.begin() + offset_dims[i]);
  return strides;
}

// The offsets, in bytes, of a slice in the operand and in the result.
struct SliceOffsets {
  std::int64_t from, to;
};

// Finds the slices in the order of the indices.
class SliceFinder {
 public:
  SliceFinder(const GatherStrides& strides, const IndexVectorReader& vectors, int bytes, std::int64_t first)
      : strides_(strides),
        vectors_(vectors),
        bytes_(bytes),
        position_(strides.batch.size()),
        starts_(strides.starts.size()) {
    IndexAt(first, vectors.batch_dimensions(), position_);
  }

  // Returns the offsets of the next slice. Clamps its start, so that the slice is inside the operand.
  SliceOffsets Next() {
    vectors_.StartsAt(position_, starts_);
    SliceOffsets offsets = {0, 0};
    for (std::size_t d = 0; d < starts_.size(); ++d) {
      offsets.from += std::clamp<std::int64_t>(starts_[d], 0, strides_.last_starts[d]) * strides_.starts[d] * bytes_;
    }
    for (std::size_t d = 0; d < position_.size(); ++d) offsets.to += position_[d] * strides_.batch[d] * bytes_;
    AdvanceIndex(vectors_.batch_dimensions(), position_);
    return offsets;
  }

 private:
  const GatherStrides& strides_;
  const IndexVectorReader& vectors_;
  const std::int64_t bytes_;
  std::vector<std::int64_t> position_, starts_;
};

// Starts to read the first 4 KiB of a slice into the cache.
void Prefetch(const std::byte* slice, std::int64_t size) {
  constexpr std::int64_t kLine = 64, kMost = 4096;
  for (std::int64_t i = 0; i < std::min(size, kMost); i += kLine) __builtin_prefetch(slice + i);
}

// Copies `count` contiguous slices. Finds a few slices ahead, so that the cache reads them while others are copied.
void CopyContiguous(SliceFinder finder, const std::byte* operand, std::byte* result, std::int64_t size,
                    std::int64_t count) {
  constexpr std::int64_t kAhead = 4;
  SliceOffsets next[kAhead];
  for (std::int64_t n = 0; n < count + kAhead; ++n) {
    if (n >= kAhead) {
      const SliceOffsets& slice = next[n % kAhead];
      std::memcpy(result + slice.to, operand + slice.from, size);
    }
    if (n >= count) continue;
    next[n % kAhead] = finder.Next();
    Prefetch(operand + next[n % kAhead].from, size);
  }
}

Literal EvaluateGather(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  const std::byte* const operand = operands[0].data();
  const Indexing indexing = IndexingOfGather(instruction);
  Literal result = Literal::Uninitialized(instruction.shape);
  if (result.element_count() == 0) return result;

  const GatherStrides strides = StridesOfGather(instruction, indexing);
  const int bytes = StorageBytes(instruction.shape.element_type());
  const StridedCopy copy(bytes, strides.slice_sizes, strides.in_operand, strides.in_result);
  const IndexVectorReader vectors(operands[1], indexing);
  std::byte* const out = result.mutable_data();
  const std::int64_t count = Product(vectors.batch_dimensions());
  if (count == 1) {
    const SliceOffsets slice = SliceFinder(strides, vectors, bytes, 0).Next();
    copy.ParallelCopy(operand + slice.from, out + slice.to);
    return result;
  }
  ParallelFor(count, GrainOfRows(copy.element_count(), kMovedPerPiece), [&](std::int64_t begin, std::int64_t end) {
    SliceFinder finder(strides, vectors, bytes, begin);
    if (copy.IsContiguous()) {
      return CopyContiguous(std::move(finder), operand, out, copy.element_count() * bytes, end - begin);
    }
    for (std::int64_t n = begin; n < end; ++n) {
      const SliceOffsets slice = finder.Next();
      copy.Copy(operand + slice.from, out + slice.to);
    }
  });
  return result;
}

}  // namespace

const OpKernel kernel_gather = {.op = &op_gather, .evaluate = EvaluateGather};

}  // namespace assay
