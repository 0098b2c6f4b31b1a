// The promise of a program that its start indices are sorted. Without it the result is the implementation's choice.
#pragma once

#include <cstdint>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/ops/common/index_vectors.h"
#include "interpreter/types/literal.h"

namespace assay {

// True if no vector of start indices is less than the one before it, in row-major order, with the batching dimensions
// among its entries or without them. StableHLO counts none, but a vmap of `x[i]` in JAX promises vectors with them, for
// which XLA and StableHLO keep the promise when they make entries of the batching dimensions.
bool AreSorted(const Literal& indices, Indexing indexing, std::int64_t operand_rank);
// Selects every element if a promise is not kept, and none otherwise.
ElementTest AllUnless(bool is_kept);

}  // namespace assay
