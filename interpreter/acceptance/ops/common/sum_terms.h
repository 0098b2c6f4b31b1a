// The products that a sum adds up, derived from the attributes of the ops that add.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "interpreter/acceptance/ops/op_acceptance.h"

namespace assay {

// The offsets of the factors in two operands. The factor of kNone is 1.
struct Term {
  static constexpr std::int64_t kNone = -1;
  std::int64_t lhs = kNone;
  std::int64_t rhs = kNone;
};

// The terms that an instruction adds up for one array. The instruction must outlive it.
class SumTerms {
 public:
  // Returns the terms of a leaf of the result if the instruction's op has OpAcceptance::terms; otherwise nullopt.
  static std::optional<SumTerms> Of(const HloInstruction& instruction, std::span<const Literal> operands,
                                    std::size_t leaf = 0);

  // Implement OpAcceptance::terms. A fold of several arrays, each added up by itself, has one leaf for each.
  static std::optional<SumTerms> OfProduct(const HloInstruction& dot, std::span<const Literal>, std::size_t leaf);
  static std::optional<SumTerms> OfConvolution(const HloInstruction& convolution, std::span<const Literal>,
                                               std::size_t leaf);
  static std::optional<SumTerms> OfReduction(const HloInstruction& reduce, std::span<const Literal>, std::size_t leaf);
  static std::optional<SumTerms> OfWindows(const HloInstruction& reduce_window, std::span<const Literal>,
                                           std::size_t leaf);
  static std::optional<SumTerms> OfScan(const HloInstruction& scan, std::span<const Literal>, std::size_t leaf);

  // Returns sums whose terms are listed for each element: an element of operand `rhs`, then elements of operand `lhs`.
  static SumTerms OfLists(const Shape& result, std::size_t lhs, std::size_t rhs,
                          std::vector<std::vector<std::int64_t>> lists);

  // The numbers of the two operands. For a fold they are an array and its initial value.
  std::size_t lhs_operand() const { return lhs_; }
  std::size_t rhs_operand() const { return rhs_; }
  // Replaces `terms` by those of an element, in the reference's order: the initial value comes first.
  void At(std::int64_t offset, std::vector<Term>& terms) const;
  // Returns the largest number of terms of an element; an estimate for windows, of which some are partly in padding.
  std::int64_t LargestCount() const;

 private:
  using Index = std::vector<std::int64_t>;
  using Visit = std::function<void(const Index& result, std::vector<Term>& terms)>;

  SumTerms(const Shape& result, std::size_t lhs, std::size_t rhs, Visit visit,
           std::optional<std::int64_t> fullest = {});  // by default an element in the middle

  Index sizes_;
  std::int64_t fullest_;  // the offset of an element with most terms
  std::size_t lhs_, rhs_;
  Visit visit_;
};

// True for a dot or convolution whose elements are one product each, as of an outer product.
bool IsOneProduct(const HloInstruction& instruction);

// Selects sums of products of another kind than the operands, if it matters whether the operands or the sum are
// converted: of complex numbers, unless the sum is complex; of real numbers if the sum is an integer, and a factor is
// not whole or the sum may overflow. No specification says which. Implements SpecificationGap::implementation_defined.
ElementTest SumsOfOtherKinds(const HloInstruction& instruction, std::span<const Literal> operands, std::size_t leaf);

// Returns the number of terms in each element of a dot, or of a reduction of one array, where the initial value counts;
// nullopt for other instructions, for operands that are not real, and if the sizes at run time are below their bounds.
std::optional<double> CountOfTerms(const HloInstruction& instruction, std::span<const Literal> operands);

}  // namespace assay
