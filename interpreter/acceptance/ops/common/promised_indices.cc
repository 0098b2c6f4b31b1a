#include "interpreter/acceptance/ops/common/promised_indices.h"

#include <utility>

#include "interpreter/ops/plain/plain.h"

namespace assay {

bool AreSorted(const Literal& indices, Indexing indexing, std::int64_t operand_rank) {
  indexing.operand_batching_dims.numbers = {};
  bool are_sorted = true;
  Dimensions previous;
  plain::ForEachIndex(BatchDimensions(indices.shape(), indexing.index_vector_dim), [&](const plain::Index& batch) {
    Dimensions start = StartAt(batch, indices, indexing, operand_rank);
    are_sorted = are_sorted && previous <= start;
    previous = std::move(start);
  });
  return are_sorted;
}

ElementTest AllUnless(bool is_kept) {
  if (is_kept) return nullptr;
  return [](std::int64_t) { return true; };
}

}  // namespace assay
