// The freedoms of a profile, used on one result after the other.
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
  // Of a module that may have been rewritten.
  NoisyResults(const Profile& profile, const Widenings& widenings, Noise& noise)
      : profile_(profile), widenings_(widenings), noise_(noise) {}

  // Whether there is something to do for a rule that names this noise.
  static bool Knows(std::string_view noise);

  // Replaces the exact result of an instruction by another lawful one.
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
  // What is done where a rule names it (Rule::noise).
  struct Row {
    std::string_view noise;
    Literal (NoisyResults::*compute)(const Piece&);
    bool is_all = false;  // nothing is done with single numbers besides
  };
  static const Row kRows[];
  static const Row* RowOf(std::string_view noise);

  Literal Unchanged(const Piece& piece);
  Literal Approximated(const Piece& piece);
  Literal Summed(const Piece& piece);
  Literal Multiplied(const Piece& piece);
  Literal ByAlgorithm(const Piece& piece);
  // Rows that compare equal in another order.
  Literal Reordered(const Piece& piece);
  Literal DrawnAgain(const Piece& piece);

  const Profile& profile_;
  const Widenings& widenings_;
  Noise& noise_;
};

}  // namespace assay
