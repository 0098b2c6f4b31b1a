#include "interpreter/ops/common/index_vectors.h"

#include <algorithm>

#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/start_indices.h"
#include "interpreter/types/join_text.h"

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

Status CheckBatchingSizes(const HloInstruction& instruction, const Indexing& indexing, const Shape& operand,
                          const Shape& indices) {
  for (std::size_t i = 0; i < indexing.operand_batching_dims.numbers.size(); ++i) {
    const std::int64_t expected = operand.dimensions(indexing.operand_batching_dims.numbers[i]);
    const std::int64_t found = indices.dimensions(indexing.indices_batching_dims.numbers[i]);
    if (found == expected) continue;
    return Illegal(instruction, "dimension {} of the indices, in {}, must have the operand's size {}, found {}",
                   indexing.indices_batching_dims.numbers[i], indexing.indices_batching_dims.name, expected, found);
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
  return Illegal(instruction, "{} must ascend, found {{{}}}", list.name, JoinText(list.numbers, ","));
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
  ASSAY_CHECK_OK(CheckBatchingSizes(instruction, indexing, operand, indices));
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

std::vector<std::int64_t> OtherDimensions(std::span<const std::int64_t> listed, std::int64_t rank) {
  std::vector<std::int64_t> others;
  for (std::int64_t d = 0; d < rank; ++d) {
    if (std::ranges::find(listed, d) == listed.end()) others.push_back(d);
  }
  return others;
}

Dimensions StartAt(const Dimensions& batch, const Literal& indices, const Indexing& indexing,
                   std::int64_t operand_rank) {
  const std::int64_t vector_dim = indexing.index_vector_dim;
  Dimensions start(operand_rank, 0), place = batch;
  if (vector_dim < indices.shape().rank()) place.insert(place.begin() + vector_dim, 0);
  for (std::size_t k = 0; k < indexing.start_index_map.numbers.size(); ++k) {
    if (vector_dim < indices.shape().rank()) place[vector_dim] = static_cast<std::int64_t>(k);
    start[indexing.start_index_map.numbers[k]] = StartIndexAt(indices, indices.OffsetOf(place));
  }
  for (std::size_t k = 0; k < indexing.operand_batching_dims.numbers.size(); ++k) {
    const std::int64_t d = indexing.indices_batching_dims.numbers[k];
    start[indexing.operand_batching_dims.numbers[k]] = batch[d > vector_dim ? d - 1 : d];
  }
  return start;
}

}  // namespace assay
