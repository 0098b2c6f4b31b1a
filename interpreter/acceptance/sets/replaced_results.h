// The numbers that freedoms let a backend store in place of the result of one instruction: the stages of sets after the
// rounding, and the signs of zeros. The rule of the instruction judges all other numbers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "interpreter/acceptance/freedom.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/sets/lawful_facts.h"
#include "interpreter/acceptance/sets/widen.h"

namespace assay {

class ReplacedResults {
 public:
  // The instruction and its operands must outlive this object.
  explicit ReplacedResults(const JudgedInstruction& judged);

  // Judges an element that is FAIL by the rule. Returns FAIL again if no freedom admits it. `want` and `got` are the
  // leaves that `place` names.
  ElementVerdict Judge(const Literal& want, const Literal& got, const Place& place);
  // Returns the freedoms that add values to the accepted ones, one line each.
  std::vector<std::string> Explain(const Literal& want, const Place& place);

 private:
  // Returns the facts about a component of an element, which `leaf` and `place` must outlive.
  ElementFacts FactsOf(const LeafFacts& leaf, const Place& place, int part);
  LeafFacts FactsOf(const Literal& want);
  // Returns the numbers that a freedom lets a backend store for a component: anything, if it says nothing about the
  // operands.
  Widening Replaced(const FreedomWidening& widening, const ElementFacts& component) const;
  // True if the freedom admits a zero of this sign for a component.
  bool AdmitsZero(const FreedomWidening& widening, const ElementFacts& component, bool sign) const;
  // Judges a predicate of numbers: if a freedom says nothing about these, it says nothing about the predicate.
  ElementVerdict JudgePredicate(const Literal& want);
  ElementVerdict JudgeBy(const FreedomRecord& record, const LeafFacts& leaf, const Literal& got, const Place& place);

  const JudgedInstruction& judged_;
  std::vector<Freedom> open_;  // those that replace numbers, or free signs of zeros
  std::vector<ValueSet> operands_;
  std::unique_ptr<const InstructionFacts> facts_;
  bool are_operands_finite_ = true;
  ExactResult exact_;
};

}  // namespace assay
