// The algorithms by which compilers add the terms of a sum in a narrow type (docs/derivations.md#sums-in-narrow-types).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "interpreter/types/primitive_type.h"

namespace assay {

// One algorithm. The terms are taken in a sequence; neighbours are added exactly, in blocks that are rounded once, as a
// wider accumulator does; the blocks are dealt to lanes, each of which adds its own one by one; the lanes are combined.
struct SumOrder {
  enum class Sequence { kForward, kBackward, kShuffled };
  Sequence sequence = Sequence::kForward;
  std::int64_t block = 1;  // kAll: every term
  std::int64_t lanes = 1;  // kAll: as many as there are blocks
  std::int64_t chunk = 0;  // not 0: a lane has so many neighbours, however many lanes that makes
  // Not 0: as a chunk, but more than so many results are taken together in the same way, and again. The terms stand in
  // the middle of the chunks, as in XLA's TreeReductionRewriter.
  std::int64_t window = 0;
  bool is_tree = false;  // lanes are combined in pairs; else one after the other

  static constexpr std::int64_t kAll = INT64_MAX;
  // One accumulator of the narrow type: the algorithm with the most roundings, and so the most noise.
  bool IsSequential() const { return block == 1 && lanes == 1 && chunk == 0 && window == 0; }
};

// All of them. The first kSequentialOrders are sequential.
std::span<const SumOrder> AllSumOrders();
inline constexpr std::size_t kSequentialOrders = 12;

// A product of two numbers, which a term is.
struct Factors {
  double a = 0;
  double b = 1;
};

struct OrderedSum {
  double sum = 0;
  double reach = 0;  // the largest magnitude of a partial sum
};

// Adds terms by an algorithm in a float type of at most 16 bits. Products are rounded unless `is_fused`. `seed` chooses
// the shuffle.
OrderedSum AddInOrder(std::span<const Factors> terms, const SumOrder& order, PrimitiveType type, bool is_fused,
                      std::uint64_t seed);

}  // namespace assay
