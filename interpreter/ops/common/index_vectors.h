// Vectors of start indices, and their dimension numbers: the rules that gather and scatter share.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

// A list of dimension numbers and the name of its attribute.
struct DimensionNumbers {
  std::string_view name;
  std::span<const std::int64_t> numbers;
};

// The attributes that gather and scatter share, under gather's names.
struct Indexing {
  std::int64_t index_vector_dim = 0;       // the rank of the indices: every index is a vector of one element
  DimensionNumbers start_index_map;        // scatter_dims_to_operand_dims
  DimensionNumbers collapsed_dims;         // collapsed_slice_dims, inserted_window_dims
  DimensionNumbers operand_batching_dims;  // input_batching_dims
  DimensionNumbers indices_batching_dims;  // start_indices_batching_dims, scatter_indices_batching_dims
};

Indexing IndexingOfGather(const HloInstruction& gather);
Indexing IndexingOfScatter(const HloInstruction& scatter);

// Checks that the numbers are ascending, unique, and in [0, rank).
Status CheckAscending(const HloInstruction& instruction, const DimensionNumbers& list, std::int64_t rank);
// Checks the rules that gather and scatter share. Two of them are StableHLO's, which XLA does not check: an operand
// dimension gets its index from one list only, and batching dimensions of operand and indices have equal sizes.
// Otherwise the result is undefined.
Status CheckIndexing(const HloInstruction& instruction, const Indexing& indexing, const Shape& operand,
                     const Shape& indices);

// Returns the dimensions of the indices, row-major, without the one that holds the vectors.
Dimensions BatchDimensions(const Shape& indices, std::int64_t index_vector_dim);
// Returns the operand dimensions that are neither collapsed nor batching.
std::vector<std::int64_t> WindowDimensions(const Indexing& indexing, std::int64_t operand_rank);

// Implements Op::fit_run_time_sizes: batching dimensions of operand 0 and of the indices, operand `indices`, have the
// same sizes.
void EqualizeBatching(HloInstruction& instruction, const Indexing& indexing, std::int64_t indices);

// Returns the dimensions below `rank` that are not in `listed`, ascending.
std::vector<std::int64_t> OtherDimensions(std::span<const std::int64_t> listed, std::int64_t rank);

// Returns the start of the slice or window that `batch`, an index below BatchDimensions, selects: one entry for each
// operand dimension, neither clamped nor checked. A batching dimension starts at its entry of `batch`. Any other
// dimension that is not in start_index_map starts at 0.
Dimensions StartAt(const Dimensions& batch, const Literal& indices, const Indexing& indexing,
                   std::int64_t operand_rank);

}  // namespace assay
