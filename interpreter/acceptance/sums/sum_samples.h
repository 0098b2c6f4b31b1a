// Sums that may be kept in a narrow type, judged by samples of their algorithms
// (docs/derivations.md#sums-in-narrow-types).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interpreter/acceptance/ops/common/sum_terms.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/sums/orders.h"
#include "interpreter/types/literal.h"

namespace assay {

// True if the accumulator of an instruction's sums of this type may be as narrow as the type, of 16 bits at most.
bool MayBeNarrow(const JudgedInstruction& judged, PrimitiveType type);

// The sums of one leaf of an instruction's result, by any algorithm. The instruction must outlive it.
class NarrowSums {
 public:
  // Returns nothing for sums that may not be narrow, or whose terms are not known.
  static std::optional<NarrowSums> Of(const JudgedInstruction& judged, std::size_t leaf);

  PrimitiveType type() const { return type_; }
  std::int64_t size() const { return size_; }  // number of sums
  // Terms of the sum that has the most, more or less.
  std::int64_t term_count() const { return term_count_; }
  // The terms of the sum at an offset of the leaf, but for zeros, which add nothing.
  std::vector<Factors> TermsAt(std::int64_t offset) const;
  // Returns the part of their sum that flushing subnormal operands, products and partial sums may take away.
  double LostByFlushing(std::span<const Factors> terms) const;
  // Their sum by algorithm `order` of AllSumOrders.
  OrderedSum Add(std::span<const Factors> terms, std::size_t order, std::uint64_t seed) const;
  // The sums of the whole leaf; with `flushes`, without the terms that may be flushed to zero.
  Literal AddAll(std::size_t order, std::uint64_t seed, bool flushes) const;

 private:
  NarrowSums(SumTerms terms, const Shape& shape, const JudgedInstruction& judged);

  // True if the profile lets a term count as zero.
  bool MayVanish(const Factors& term) const;

  SumTerms terms_;
  Shape shape_;
  PrimitiveType type_;
  std::int64_t size_, term_count_;
  bool may_flush_;
  Literal lhs_, rhs_;
};

// The evidence of samples about the results of a sum in a narrow type.
struct SumFinding {
  std::string fault;          // what is wrong; empty: nothing
  bool is_explained = false;  // an algorithm gives each of the results
};
// Sums of few terms, or of terms that are not known, are not looked at.
SumFinding JudgeNarrowSums(const JudgedInstruction& judged, const Literal& want, const Literal& got);

}  // namespace assay
