// The freedoms of a profile, applied to one result after the other.
#pragma once

#include <span>
#include <string_view>

#include "backends/lawful/algorithms/rewrites.h"
#include "backends/lawful/arithmetic.h"
#include "backends/lawful/noise.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

class NoisyResults {
 public:
  // `widenings` are those of the module's rewrites, if it was rewritten.
  NoisyResults(const Profile& profile, const Widenings& widenings, Noise& noise)
      : profile_(profile), widenings_(widenings), noise_(noise) {}

  // True if a rule's noise has this name.
  static bool Knows(std::string_view noise);

  // Replaces the exact result of an instruction with another lawful one.
  void Replace(const HloInstruction& instruction, std::span<const Literal> operands, Literal& result);

 private:
  // An instruction, its operands (flushed if `flushes`) and its exact result.
  struct Piece {
    const HloInstruction& instruction;
    std::span<const Literal> operands;
    const Literal& exact;
    const RuleChoice& rule;
    bool flushes;
  };
  // The function for each noise of a rule (Rule::noise).
  struct Row {
    std::string_view noise;
    Literal (NoisyResults::*compute)(const Piece&);
    bool is_all = false;  // the function is the only noise: single numbers stay
  };
  static const Row kRows[];
  static const Row* RowOf(std::string_view noise);

  Literal Unchanged(const Piece& piece);
  Literal Approximated(const Piece& piece);
  Literal Summed(const Piece& piece);
  Literal Multiplied(const Piece& piece);
  Literal ByAlgorithm(const Piece& piece);
  // Puts rows that compare equal into another order.
  Literal Reordered(const Piece& piece);
  Literal DrawnAgain(const Piece& piece);

  const Profile& profile_;
  const Widenings& widenings_;
  Noise& noise_;
};

}  // namespace assay
