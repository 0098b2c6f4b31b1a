// The magnitudes of the terms that values of a run add up, carried through the instructions that keep them.
#pragma once

#include <unordered_map>

#include "interpreter/acceptance/rule.h"
#include "interpreter/types/literal.h"

namespace assay {

class TermMagnitudes {
 public:
  struct Of {
    Literal sizes;  // f64: for each element the sum of its terms' magnitudes
    double count;   // of the terms
  };

  // Notes the terms of the result of `instruction`, which is executed as `judged`.
  void See(const HloInstruction& instruction, const JudgedInstruction& judged);
  // Returns the terms of a value; null if none are known.
  const Of* Find(const HloInstruction& value) const;

 private:
  Of OfOperand(const JudgedInstruction& judged, std::size_t operand) const;

  std::unordered_map<const HloInstruction*, Of> terms_;
};

}  // namespace assay
