// Facts about the operands' sets that the lawful results of an instruction depend on, besides its image.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>

#include "interpreter/acceptance/ops/value_set.h"

namespace assay {

// True if an array of reals or complex numbers has neither infinities nor NaNs, and for every other value.
bool IsFinite(const Literal& array);

// True if a function of real operands that returns a zero at this offset does so exactly, not because the result is
// small: an operand is a zero or an infinity there, or the only one is 1, as in 0 / y, exp(-inf) and log(1).
bool IsExactZero(std::span<const Literal> operands, std::int64_t offset);

class OperandFacts {
 public:
  // `reach` holds the operands' values, or the largest magnitudes of open ones. Both arguments must outlive this
  // object.
  OperandFacts(std::span<const ValueSet> operands, std::span<const Literal> reach)
      : operands_(operands), reach_(reach) {}

  bool AreFinite() const;
  bool HaveSubnormalsAndInfinities() const;
  // For an element-wise op: true if an operand has the zero of the opposite sign at this place.
  bool HaveOtherZero(const Literal& value, std::int64_t component) const;
  // For a fold: true if any element of the operands may be a zero of this sign.
  bool HaveZero(bool sign) const;
  // For an element-wise op: true if a result is infinite because an operand is, not because it overflows.
  bool HaveInfinity(std::int64_t offset) const;
  // For an element-wise function: as IsExactZero.
  bool HaveExactZero(std::int64_t offset) const;
  // Returns the interval between neighbouring numbers that holds a decided product of f64 before rounding.
  Reals ProductBeforeRounding(std::int64_t i, double product) const;
  // Returns the number of factors that were multiplied.
  double FactorCount() const;

 private:
  std::span<const ValueSet> operands_;
  std::span<const Literal> reach_;
  mutable std::once_flag are_zeros_known_;  // because several threads may call HaveZero
  mutable bool zeros_[2] = {};              // of the operands, by sign
};

// Returns the largest power of two that divides all finite numbers of an array; infinity if all are zero.
double QuantumOf(const Literal& operand);

}  // namespace assay
