#include "interpreter/acceptance/ops/common/promised_indices.h"

#include <utility>

#include "interpreter/ops/plain/plain.h"

namespace assay {

bool AreSorted(const Literal& indices, Indexing indexing, std::int64_t operand_rank) {
  const auto are_sorted = [&] {
    bool result = true;
    Dimensions previous;
    plain::ForEachIndex(BatchDimensions(indices.shape(), indexing.index_vector_dim), [&](const plain::Index& batch) {
      Dimensions start = StartAt(batch, indices, indexing, operand_rank);
      result = result && previous <= start;
      previous = std::move(start);
    });
    return result;
  };
  if (are_sorted()) return true;
  indexing.operand_batching_dims.numbers = {};
  return are_sorted();
}

ElementTest AllUnless(bool is_kept) {
  if (is_kept) return nullptr;
  return [](std::int64_t) { return true; };
}

}  // namespace assay
