// What gather and scatter share: vectors of start indices, and the dimension numbers that say where they point.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

// A list of dimension numbers and the attribute that it came from.
struct DimensionNumbers {
  std::string_view name;
  std::span<const std::int64_t> numbers;
};

struct Indexing {
  std::int64_t index_vector_dim = 0;
  DimensionNumbers start_index_map;        // scatter_dims_to_operand_dims
  DimensionNumbers collapsed_dims;         // collapsed_slice_dims, inserted_window_dims
  DimensionNumbers operand_batching_dims;  // input_batching_dims
  DimensionNumbers indices_batching_dims;
};

Indexing IndexingOfGather(const HloInstruction& gather);
Indexing IndexingOfScatter(const HloInstruction& scatter);

// The numbers ascend, none occurs twice, all are in [0, rank).
Status CheckAscending(const HloInstruction& instruction, const DimensionNumbers& list, std::int64_t rank);
// The rules that gather and scatter share. That an operand dimension is given an index by one list only is what
// StableHLO demands; XLA does not check it, and no meaning is defined without it.
Status CheckIndexing(const HloInstruction& instruction, const Indexing& indexing, const Shape& operand,
                     const Shape& indices);

// The dimensions of the indices, row-major, without the one that holds the vectors.
Dimensions BatchDimensions(const Shape& indices, std::int64_t index_vector_dim);
// The operand dimensions that are neither collapsed nor batching.
std::vector<std::int64_t> WindowDimensions(const Indexing& indexing, std::int64_t operand_rank);

// For Op::fit_run_time_sizes: batching dimensions of operand 0 and of the indices, operand `indices`, have the same
// sizes.
void EqualizeBatching(HloInstruction& instruction, const Indexing& indexing, std::int64_t indices);

// The vector of start indices at each position of the batch dimensions.
class IndexVectors {
 public:
  IndexVectors(const Literal& indices, const Indexing& indexing);

  const Dimensions& batch_dimensions() const { return batch_dimensions_; }
  // The start in every operand dimension, as the indices say it: in bounds or not. Dimensions without an index start
  // at 0.
  void StartsAt(std::span<const std::int64_t> batch_position, std::span<std::int64_t> starts) const;

 private:
  struct BatchingDimension {
    std::int64_t operand_dimension;
    std::int64_t batch_dimension;
  };

  const Literal& indices_;
  std::span<const std::int64_t> start_index_map_;
  Dimensions batch_dimensions_;
  std::vector<std::int64_t> batch_strides_;
  std::int64_t vector_stride_ = 0;
  std::vector<BatchingDimension> batching_;
};

// The index with row-major number `number`.
void IndexAt(std::int64_t number, std::span<const std::int64_t> dimensions, std::span<std::int64_t> index);

}  // namespace assay
