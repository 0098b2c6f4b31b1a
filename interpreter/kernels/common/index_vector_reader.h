// Reads the index vectors of gather and scatter in order, without a search for each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "interpreter/ops/common/index_vectors.h"
#include "interpreter/types/literal.h"

namespace assay {

// A reader of the vector of start indices at each position of the batch dimensions.
class IndexVectorReader {
 public:
  IndexVectorReader(const Literal& indices, const Indexing& indexing);

  const Dimensions& batch_dimensions() const { return batch_dimensions_; }
  // Writes the start in every operand dimension, unclamped. Dimensions without an index start at 0.
  void StartsAt(std::span<const std::int64_t> batch_position, std::span<std::int64_t> starts) const;

 private:
  struct BatchingDimension {
    std::int64_t operand_dimension;
    std::int64_t batch_dimension;
  };

  std::int64_t IndexAtOffset(std::int64_t offset) const;

  const Literal& indices_;
  const std::int32_t* s32_ = nullptr;  // the indices, if they are of this type, as most are
  std::span<const std::int64_t> start_index_map_;
  Dimensions batch_dimensions_;
  std::vector<std::int64_t> batch_strides_;
  std::int64_t vector_stride_ = 0;
  std::vector<BatchingDimension> batching_;
};

// Writes the index at row-major position `number`.
void IndexAt(std::int64_t number, std::span<const std::int64_t> dimensions, std::span<std::int64_t> index);

// Advances an index to the next row-major position; after the last one to the first.
void AdvanceIndex(std::span<const std::int64_t> dimensions, std::span<std::int64_t> index);

}  // namespace assay
