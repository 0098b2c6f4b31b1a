#include "interpreter/ops/common/index_vectors.h"

#include <algorithm>

#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/start_indices.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

DimensionNumbers ListOf(const HloInstruction& instruction, AttributeName attribute) {
  return {attribute, instruction.Int64s(attribute)};
}

bool Has(const DimensionNumbers& list, std::int64_t d) {
  return std::ranges::find(list.numbers, d) != list.numbers.end();
}

Status CheckDisjoint(const HloInstruction& instruction, const DimensionNumbers& a, const DimensionNumbers& b) {
  for (std::int64_t d : a.numbers) {
    if (Has(b, d)) return Illegal(instruction, "operand dimension {} is in both {} and {}", d, a.name, b.name);
  }
  return {};
}

}  // namespace

Indexing IndexingOfGather(const HloInstruction& gather) {
  return {gather.Int64("index_vector_dim"), ListOf(gather, "start_index_map"), ListOf(gather, "collapsed_slice_dims"),
          ListOf(gather, "operand_batching_dims"), ListOf(gather, "start_indices_batching_dims")};
}

Indexing IndexingOfScatter(const HloInstruction& scatter) {
  return {scatter.Int64("index_vector_dim"), ListOf(scatter, "scatter_dims_to_operand_dims"),
          ListOf(scatter, "inserted_window_dims"), ListOf(scatter, "input_batching_dims"),
          ListOf(scatter, "scatter_indices_batching_dims")};
}

Status CheckAscending(const HloInstruction& instruction, const DimensionNumbers& list, std::int64_t rank) {
  ASSAY_CHECK_OK(CheckDimensionNumbers(instruction, list.name, list.numbers, rank));
  if (std::ranges::is_sorted(list.numbers)) return {};
  return Illegal(instruction, "{} must ascend, found {{{}}}", list.name, fmt::join(list.numbers, ","));
}

Status CheckIndexing(const HloInstruction& instruction, const Indexing& indexing, const Shape& operand,
                     const Shape& indices) {
  if (!indices.IsArray() || !IsIntegralType(indices.element_type())) {
    return Illegal(instruction, "the indices must be an integral array, found {}", indices.ToStringWithoutLayout());
  }
  const std::int64_t vector_dim = indexing.index_vector_dim;
  if (vector_dim < 0 || vector_dim > indices.rank()) {
    return Illegal(instruction, "index_vector_dim must be in [0, {}], found {}", indices.rank(), vector_dim);
  }
  const std::int64_t length = vector_dim == indices.rank() ? 1 : indices.dimensions(vector_dim);
  const DimensionNumbers& map = indexing.start_index_map;
  if (static_cast<std::int64_t>(map.numbers.size()) != length) {
    return Illegal(instruction, "{} must have an entry for each of the {} elements of an index vector, found {}",
                   map.name, length, map.numbers.size());
  }
  ASSAY_CHECK_OK(CheckDimensionNumbers(instruction, map.name, map.numbers, operand.rank()));
  ASSAY_CHECK_OK(CheckAscending(instruction, indexing.collapsed_dims, operand.rank()));
  ASSAY_CHECK_OK(CheckAscending(instruction, indexing.operand_batching_dims, operand.rank()));
  const DimensionNumbers& batching = indexing.indices_batching_dims;
  ASSAY_CHECK_OK(CheckDimensionNumbers(instruction, batching.name, batching.numbers, indices.rank()));
  if (batching.numbers.size() != indexing.operand_batching_dims.numbers.size()) {
    return Illegal(instruction, "{} and {} must be equally long, found {} and {}", indexing.operand_batching_dims.name,
                   batching.name, indexing.operand_batching_dims.numbers.size(), batching.numbers.size());
  }
  if (Has(batching, vector_dim)) {
    return Illegal(instruction, "{} has {}, which is index_vector_dim", batching.name, vector_dim);
  }
  ASSAY_CHECK_OK(CheckDisjoint(instruction, indexing.collapsed_dims, indexing.operand_batching_dims));
  return CheckDisjoint(instruction, map, indexing.operand_batching_dims);
}

void EqualizeBatching(HloInstruction& instruction, const Indexing& indexing, std::int64_t indices) {
  for (std::size_t i = 0; i < indexing.operand_batching_dims.numbers.size(); ++i) {
    Equalize(instruction, 0, indexing.operand_batching_dims.numbers[i], indices,
             indexing.indices_batching_dims.numbers[i]);
  }
}

Dimensions BatchDimensions(const Shape& indices, std::int64_t index_vector_dim) {
  Dimensions dimensions = indices.dimensions();
  if (index_vector_dim < indices.rank()) dimensions.erase(dimensions.begin() + index_vector_dim);
  return dimensions;
}

std::vector<std::int64_t> WindowDimensions(const Indexing& indexing, std::int64_t operand_rank) {
  std::vector<std::int64_t> dimensions;
  for (std::int64_t d = 0; d < operand_rank; ++d) {
    if (!Has(indexing.collapsed_dims, d) && !Has(indexing.operand_batching_dims, d)) dimensions.push_back(d);
  }
  return dimensions;
}

IndexVectors::IndexVectors(const Literal& indices, const Indexing& indexing)
    : indices_(indices),
      start_index_map_(indexing.start_index_map.numbers),
      batch_dimensions_(BatchDimensions(indices.shape(), indexing.index_vector_dim)),
      batch_strides_(RowMajorStrides(indices.shape().dimensions())) {
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

void IndexVectors::StartsAt(std::span<const std::int64_t> batch_position, std::span<std::int64_t> starts) const {
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < batch_position.size(); ++d) offset += batch_position[d] * batch_strides_[d];
  std::ranges::fill(starts, 0);
  for (std::int64_t d : start_index_map_) {
    starts[d] = StartIndexAt(indices_, offset);
    offset += vector_stride_;
  }
  for (const auto& [operand_dimension, batch_dimension] : batching_) {
    starts[operand_dimension] = batch_position[batch_dimension];
  }
}

void IndexAt(std::int64_t number, std::span<const std::int64_t> dimensions, std::span<std::int64_t> index) {
  for (std::size_t d = dimensions.size(); d-- > 0; number /= dimensions[d]) index[d] = number % dimensions[d];
}

}  // namespace assay
