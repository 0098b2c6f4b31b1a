// Judges sums that may be kept in a narrow type by samples of their algorithms
// (docs/derivations.md#sums-in-narrow-types).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interpreter/acceptance/ops/common/sum_terms.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/statistics/sums/orders.h"
#include "interpreter/types/literal.h"

namespace assay {

// True if the accumulator of an instruction's sums of this type may be as narrow as the type, of at most 16 bits.
bool MayBeNarrow(const JudgedInstruction& judged, PrimitiveType type);

// Returns the accumulator type of sums of narrow numbers if a profile closes narrow_accumulator: f32 for 16 bits, f16
// for narrower formats that it can hold.
PrimitiveType WideAccumulator(PrimitiveType type);

// The sums of one leaf of an instruction's result, by any algorithm. The instruction must outlive it.
class NarrowSums {
 public:
  // Returns nullopt for sums that may not be narrow, or whose terms are unknown.
  static std::optional<NarrowSums> Of(const JudgedInstruction& judged, std::size_t leaf);
  // Returns the sums of any float type that is its own accumulator; nullopt if their terms are unknown.
  static std::optional<NarrowSums> OfOwnType(const JudgedInstruction& judged, std::size_t leaf);
  // Returns the sums of any float type, in an accumulator as wide as WideAccumulator says.
  static std::optional<NarrowSums> OfWideAccumulator(const JudgedInstruction& judged, std::size_t leaf);

  PrimitiveType type() const { return type_; }
  std::int64_t size() const { return size_; }  // number of sums
  // Returns SumTerms::LargestCount().
  std::int64_t term_count() const { return term_count_; }
  // Returns the terms of the sum at an offset of the leaf, except zeros, which add nothing.
  std::vector<Factors> TermsAt(std::int64_t offset) const;
  // Returns the part of a sum that flushing subnormal operands, products and partial sums may remove.
  double LostByFlushing(std::span<const Factors> terms) const;
  // Adds the terms by algorithm `order` of AllSumOrders.
  OrderedSum Add(std::span<const Factors> terms, std::size_t order, std::uint64_t seed) const;
  // Returns the sums of the whole leaf; with `flushes`, without the terms that may be flushed to zero.
  Literal AddAll(std::size_t order, std::uint64_t seed, bool flushes) const;

 private:
  NarrowSums(SumTerms terms, const Shape& shape, const JudgedInstruction& judged);
  using TypeTest = bool (*)(const JudgedInstruction& judged, PrimitiveType type);
  static std::optional<NarrowSums> OfTypes(const JudgedInstruction& judged, std::size_t leaf, TypeTest is_judged);

  // True if the profile lets a term count as zero.
  bool MayVanish(const Factors& term) const;

  SumTerms terms_;
  Shape shape_;
  PrimitiveType type_, accumulator_;
  std::int64_t size_, term_count_;
  bool may_flush_;
  Literal lhs_, rhs_;
  double least_, least_lhs_, least_rhs_;  // the least normal numbers; 0 for an operand that is not flushed
};

// The evidence of samples about the results of a sum in a narrow type.
struct SumFinding {
  std::string fault;          // empty: none
  bool is_explained = false;  // some algorithm computes each of the results
};
// Judges the sums of an instruction by samples. Skips sums of few terms, or of unknown terms.
SumFinding JudgeNarrowSums(const JudgedInstruction& judged, const Literal& want, const Literal& got);

// Returns the fault of the sum at a place if no algorithm comes near it; empty if there is none, or if the terms are
// unknown. For sums whose accumulator has their own type: it costs as many additions as all algorithms.
std::string FaultOfSum(const JudgedInstruction& judged, const Place& place, const Literal& want, const Literal& got);

// Returns results of the instruction whose sums are lawful and add the same terms in these orders, with roundings to
// nearest in the accumulator's type. Sums beyond a limit of additions are NaN. Returns nothing if the terms are
// unknown.
std::vector<Literal> ControlSums(const JudgedInstruction& judged, const Literal& want,
                                 std::span<const SumOrder> orders);

}  // namespace assay
