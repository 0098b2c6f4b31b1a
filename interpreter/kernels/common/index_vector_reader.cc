#include "interpreter/kernels/common/index_vector_reader.h"

#include <algorithm>

#include "interpreter/ops/common/start_indices.h"
#include "interpreter/types/index_util.h"

namespace assay {

IndexVectorReader::IndexVectorReader(const Literal& indices, const Indexing& indexing)
    : indices_(indices),
      start_index_map_(indexing.start_index_map.numbers),
      batch_dimensions_(BatchDimensions(indices.shape(), indexing.index_vector_dim)),
      batch_strides_(RowMajorStrides(indices.shape().dimensions())) {
  if (indices.element_type() == S32) s32_ = indices.values<std::int32_t>().data();
  const std::int64_t vector_dim = indexing.index_vector_dim;
  if (vector_dim < indices.shape().rank()) {
    vector_stride_ = batch_strides_[vector_dim];
    batch_strides_.erase(batch_strides_.begin() + vector_dim);
  }
  for (std::size_t i = 0; i < indexing.operand_batching_dims.numbers.size(); ++i) {
    const std::int64_t d = indexing.indices_batching_dims.numbers[i];
    batching_.push_back({indexing.operand_batching_dims.numbers[i], d > vector_dim ? d - 1 : d});
  }
}

inline std::int64_t IndexVectorReader::IndexAtOffset(std::int64_t offset) const {
  return s32_ != nullptr ? s32_[offset] : StartIndexAt(indices_, offset);
}

void IndexVectorReader::StartsAt(std::span<const std::int64_t> batch_position, std::span<std::int64_t> starts) const {
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < batch_position.size(); ++d) offset += batch_position[d] * batch_strides_[d];
  std::ranges::fill(starts, 0);
  for (std::int64_t d : start_index_map_) {
    starts[d] = IndexAtOffset(offset);
    offset += vector_stride_;
  }
  for (const auto& [operand_dimension, batch_dimension] : batching_) {
    starts[operand_dimension] = batch_position[batch_dimension];
  }
}

void IndexAt(std::int64_t number, std::span<const std::int64_t> dimensions, std::span<std::int64_t> index) {
  for (std::size_t d = dimensions.size(); d-- > 0; number /= dimensions[d]) index[d] = number % dimensions[d];
}

void AdvanceIndex(std::span<const std::int64_t> dimensions, std::span<std::int64_t> index) {
  for (std::size_t d = dimensions.size(); d-- > 0;) {
    if (++index[d] < dimensions[d]) return;
    index[d] = 0;
  }
}

}  // namespace assay
