// The algorithms by which compilers add the terms of a sum in a narrow type (docs/derivations.md#sums-in-narrow-types).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "interpreter/types/primitive_type.h"

namespace assay {

// One algorithm. It visits the terms in a sequence: by their places in the operand, the last dimension innermost; from
// the last to the first; the first dimension innermost, as loops in another order do; from the largest magnitude to the
// least; or at random. It adds blocks of neighbours exactly and rounds each block once, as
// a wider accumulator does. It distributes the blocks over lanes, each of which adds its own one by one. It combines
// the lanes at the end.
struct SumOrder {
  enum class Sequence { kForward, kBackward, kColumnMajor, kDescending, kShuffled };
  Sequence sequence = Sequence::kForward;
  std::int64_t block = 1;  // kAll: every term
  std::int64_t lanes = 1;  // kAll: as many as there are blocks
  std::int64_t chunk = 0;  // not 0: the number of neighbours in a lane, for as many lanes as needed
  // Not 0: like `chunk`, but repeatedly, while more than `window` results are left. Padding is split between both ends,
  // as in XLA's TreeReductionRewriter.
  std::int64_t window = 0;
  bool is_tree = false;  // lanes are combined in pairs; otherwise one after the other

  static constexpr std::int64_t kAll = INT64_MAX;
  // True for one accumulator of the narrow type, and terms in no order of their values: the algorithm with the most
  // roundings, and so the most noise.
  bool IsSequential() const {
    const bool is_sorted = sequence == Sequence::kColumnMajor || sequence == Sequence::kDescending;
    return !is_sorted && block == 1 && lanes == 1 && chunk == 0 && window == 0;
  }
};

// Returns all algorithms. The first kSequentialOrders are sequential.
std::span<const SumOrder> AllSumOrders();
inline constexpr std::size_t kSequentialOrders = 12;
// Returns the algorithms with one accumulator that are not random: forward, backward, and from the largest magnitude to
// the least, which lets a term that dominates absorb all others.
std::span<const SumOrder> SumOrdersInALine();

// A term: a product of two numbers.
struct Factors {
  double a = 0;
  double b = 1;
  std::int64_t column_major = 0;  // the place of `a` in its operand, the first dimension innermost
};

struct OrderedSum {
  double sum = 0;
  double reach = 0;  // the largest magnitude of a partial sum
};

// Adds terms by an algorithm in a float type of at most 16 bits. Rounds the products unless `is_fused`. `seed` selects
// the shuffle.
OrderedSum AddInOrder(std::span<const Factors> terms, const SumOrder& order, PrimitiveType type, bool is_fused,
                      std::uint64_t seed);

}  // namespace assay
