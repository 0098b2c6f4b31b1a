// The verdict of an element or a result: by the rule; else by the opposite order of updates, by another reading of an
// ambiguous specification (SpecificationGap::other_readings), or by the first freedom of the profile that admits it.
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
  bool IsImplementationDefined(const Literal& want, const Place& place);
  // True if the open order of a fold, or the open count of its initial value, explains an element (sets/open_folds.h).
  bool IsOpenFold(const Literal& got, const Place& place);
  // Judges an element by the other readings of the specification, if there are any.
  ElementVerdict JudgeOtherwise(const Literal& got, const Place& place);
  // The instruction evaluated by another reading.
  struct Otherwise {
    Otherwise(const JudgedInstruction& judged, EvaluateFunction body);
    Op op;
    HloInstruction instruction;
    JudgedInstruction judged;
    std::optional<Literal> want;
    std::unique_ptr<AcceptanceRule> rule;
  };
  // Returns the other readings that can be evaluated.
  const std::vector<std::unique_ptr<Otherwise>>& OtherReadings();

  // An open freedom that has a judge.
  struct OpenFreedom {
    Freedom freedom;
    std::unique_ptr<FreedomJudge> judge;
  };

  const JudgedInstruction& judged_;
  const OpAcceptance& acceptance_;
  AcceptanceRule& rule_;
  std::vector<OpenFreedom> open_;
  std::map<std::size_t, ElementTest> implementation_defined_;  // by the leaf
  std::optional<std::optional<Literal>> opposite_;
  std::optional<std::vector<std::unique_ptr<Otherwise>>> otherwise_;
  SetAlone set_;
  std::optional<RepeatedStarts> starts_;
  const Otherwise* is_otherwise_ = nullptr;  // the reading that admitted an element; null: none did
};

}  // namespace assay
