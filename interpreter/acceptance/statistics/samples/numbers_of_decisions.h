// The numbers that a run decides by (decisions.h).
#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "interpreter/acceptance/profile.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

// An instruction that decides, and the numbers that it decides by.
struct DecidedBy {
  const HloInstruction* instruction;
  // The functions that round nothing between the instruction and the numbers, each after those that it reads: those
  // that compute both sides of a comparison from the same numbers, such as a number and its maximum with another one,
  // whose errors are the same, and those, such as a clamp, that compute the one operand of another decision.
  std::vector<const HloInstruction*> functions = {};
  // The operands of the functions that are none themselves, otherwise of the instruction, and their values.
  std::vector<const HloInstruction*> sources = {};
  std::vector<Literal> operands = {};

  bool IsSame(const DecidedBy& other) const {
    return instruction == other.instruction && functions == other.functions && sources == other.sources;
  }
  // Returns the operands of the instruction if the sources have these values.
  std::optional<std::vector<Literal>> ArgumentsOn(std::vector<Literal> numbers) const;
};

class NumbersOfDecisions {
 public:
  // Keeps the execution of a function that a decision may read.
  void See(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& result,
           const Profile& profile);
  DecidedBy Of(const HloInstruction& instruction, std::span<const Literal> operands) const;

 private:
  struct Executed {
    std::vector<Literal> operands;
    Literal result;
  };
  bool FindSources(const HloInstruction* operand, const Literal& value, DecidedBy& found) const;

  std::unordered_map<const HloComputation*, std::unordered_set<const HloInstruction*>> read_;  // functions
  std::unordered_map<const HloInstruction*, Executed> executed_;  // the last execution of each
};

}  // namespace assay
