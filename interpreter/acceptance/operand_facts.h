// What the lawful results of an instruction depend on besides its image: facts about its operands' sets.
#pragma once

#include <cstdint>
#include <span>

#include "interpreter/acceptance/ops/value_set.h"

namespace assay {

// Whether an array of reals has neither infinities nor NaNs; true of other arrays.
bool IsFinite(const Literal& array);

class OperandFacts {
 public:
  // `reach` holds the largest magnitudes of what is open, else the values. Both must outlive this.
  OperandFacts(std::span<const ValueSet> operands, std::span<const Literal> reach)
      : operands_(operands), reach_(reach) {}

  bool AreFinite() const;
  bool HaveSubnormalsAndInfinities() const;
  // Of an element-wise op: an operand has the other zero at this place.
  bool HaveOtherZero(const Literal& value, std::int64_t component) const;
  // Of an element-wise op: a result is infinite because an operand is, not because it overflows.
  bool HaveInfinity(std::int64_t offset) const;
  // The interval of neighbouring numbers that a decided product of f64 lies in.
  Reals ProductBeforeRounding(std::int64_t i, double product) const;
  // How many numbers were multiplied.
  double FactorCount() const;

 private:
  std::span<const ValueSet> operands_;
  std::span<const Literal> reach_;
};

}  // namespace assay
