// The elements of operands that an element of a result is computed from, and the exact sums that they form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "interpreter/acceptance/ops/common/sum_terms.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

// An element of an operand.
struct OperandElement {
  std::size_t operand = 0;
  std::int64_t offset = 0;  // row-major
};

class FeedingElements {
 public:
  // The arguments must outlive this object. `leaf` is the number of an array of the result, `elements` its size.
  FeedingElements(const HloInstruction& instruction, std::span<const Literal> operands, std::size_t leaf,
                  std::int64_t elements);

  // True if the elements are known one by one: for element-wise ops, reductions, products and other sums. Otherwise
  // every element of every operand may feed each element of the result.
  bool AreKnown() const { return is_elementwise_ || terms_; }
  bool AreElementwise() const { return is_elementwise_; }
  // Returns the largest number of elements that feed one element; 0 if they are not known.
  std::int64_t LargestCount() const;
  // Returns the elements that feed an element of the result; they must be known.
  std::vector<OperandElement> Of(std::int64_t offset) const;

  // The largest magnitude among the terms of a sum, and the exact sum rounded to f64.
  struct Sum {
    double largest = 0;
    double sum = 0;
    // True if the largest term exceeds 2^bits times the sum; also for a sum of 0, unless all terms are 0.
    bool Cancels(int bits) const;
  };
  // Returns the sum of part `part` (1: imaginary) of an element; nullopt if the instruction adds no real numbers, if a
  // term is not finite, or if its terms are unknown.
  std::optional<Sum> SumAt(std::int64_t offset, int part) const;
  // True if SumAt may return a sum.
  bool AreSummed() const { return sign_ != 0 || is_sum_; }

 private:
  double NumberAt(const OperandElement& element, int part) const;

  const HloInstruction& instruction_;
  std::span<const Literal> operands_;
  bool is_elementwise_ = false;
  int sign_ = 0;         // of the second of two operands that are added; 0: they are not added
  bool is_sum_ = false;  // of the terms
  std::optional<SumTerms> terms_;
};

}  // namespace assay
