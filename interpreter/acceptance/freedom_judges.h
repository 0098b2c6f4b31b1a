// The verdict of an element or a result: by the rule; else by other orders of updates, by a freedom that replaces
// the result (sets/replaced_results.h), by another reading of an ambiguous specification
// (SpecificationGap::other_readings), or by a freedom that lets the instruction read other operands
// (FreedomRecord::read_operand).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/acceptance/evaluate_piece.h"
#include "interpreter/acceptance/freedom.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/sets/open_folds.h"
#include "interpreter/acceptance/sets/program_sets.h"
#include "interpreter/acceptance/sets/replaced_results.h"

namespace assay {

class FreedomJudges {
 public:
  // Both arguments must outlive this object.
  FreedomJudges(const JudgedInstruction& judged, AcceptanceRule& rule);

  // Judges an element that is not exact: by the rule, then by the first freedom that admits it.
  ElementVerdict Judge(const Literal& want, const Literal& got, const Place& place);
  // Judges the whole result: by the rule, then by a freedom.
  void JudgeWhole(const Literal& want, const Literal& got, Judgement& judgement);
  // Returns the values that are accepted besides those of the rule, one line for each reason.
  std::vector<std::string> Explain(const Literal& want, const Place& place);

 private:
  bool IsOrderOpen(const Literal& want, const Literal& got, const Place& place);
  // Returns the first result of another order of updates that differs from an element; null if none does.
  const Literal* InOtherOrder(const Literal& want, const Place& place);
  bool IsImplementationDefined(const Literal& want, const Place& place);
  // True if the specification allows this value of an element that it leaves open (OpenElements::allows).
  bool IsAllowed(const Literal& got, const Place& place);
  // True if the open order of a fold, or the open count of its initial value, explains an element (sets/open_folds.h).
  bool IsOpenFold(const Literal& got, const Place& place);
  // Judges an element by the set of a fold or map that rounds nothing: one step may flush what another one moves.
  // Returns nothing if no step may flush, or if there is no set.
  std::optional<ElementVerdict> JudgeBySteps(const Literal& got, const Place& place);
  // The instruction by another body, or on other operands.
  struct Reading {
    Reading(const JudgedInstruction& judged, EvaluateFunction body, std::vector<Literal> read_operands,
            std::optional<Freedom> by);
    std::optional<Freedom> freedom;  // by which the operands are other ones; nullopt: the body is another one
    Op op;
    HloInstruction instruction;
    std::vector<Literal> operands;
    JudgedInstruction judged;
    std::optional<Literal> want;  // nullopt: it cannot be evaluated
    std::unique_ptr<AcceptanceRule> rule;
    ReplacedResults replaced;

    std::string_view Reason() const;
  };
  // Returns the other readings that can be evaluated.
  const std::vector<std::unique_ptr<Reading>>& Readings();
  // Judges an element by another reading. Other operands make a result LEGAL, another body SPEC-GAP.
  ElementVerdict JudgeReading(Reading& reading, const Literal& want, const Literal& got, const Place& place);
  // True if an exact fold, such as one by maximum, reads an element as it is in one step, and as a zero in another. Its
  // result is then a subnormal number between the results on the given operands and on the other ones.
  bool IsBetween(const Literal& want, const Literal& other, const Literal& got, std::int64_t offset) const;

  const JudgedInstruction& judged_;
  const OpAcceptance& acceptance_;
  AcceptanceRule& rule_;
  ReplacedResults replaced_;
  std::map<std::size_t, ElementTest> implementation_defined_;  // by the leaf
  std::optional<std::vector<Literal>> in_other_orders_;
  std::optional<std::vector<std::unique_ptr<Reading>>> readings_;
  SetAlone set_;
  std::map<std::vector<std::int64_t>, ElementJudge> steps_;  // by the leaf
  std::optional<RepeatedStarts> starts_;
  const Reading* otherwise_ = nullptr;  // the reading of the specification that admitted an element; null: none did
};

}  // namespace assay
