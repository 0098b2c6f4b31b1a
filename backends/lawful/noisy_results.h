// The freedoms of a profile, used on one result after the other.
#pragma once

#include <span>

#include "backends/lawful/arithmetic.h"
#include "backends/lawful/noise.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

class NoisyResults {
 public:
  NoisyResults(const Profile& profile, Noise& noise) : profile_(profile), noise_(noise) {}

  // Replaces the exact result of an instruction by another lawful one.
  void Replace(const HloInstruction& instruction, std::span<const Literal> operands, Literal& result);

 private:
  Literal Computed(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& exact,
                   const RuleChoice& rule, bool flushes);
  Literal ByAlgorithm(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& exact,
                      const Arithmetic& arithmetic);
  // Rows that compare equal in another order.
  Literal Reordered(const HloInstruction& sort, std::span<const Literal> operands, const Literal& exact);
  // What is open about single numbers: subnormal ones, signs of zeros, NaNs, numbers that are not finite.
  void UseOnNumbers(Literal& value, const Literal& exact, bool flushes);

  const Profile& profile_;
  Noise& noise_;
};

}  // namespace assay
