// The verdict of an element or a result: by the rule, else by the opposite order of updates, by another reading of an
// ambiguous specification (OpAcceptance::other_readings), or by the first freedom of the profile that admits it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/acceptance/freedom.h"
#include "interpreter/acceptance/rule.h"

namespace assay {

class Freedoms {
 public:
  // Both must outlive this.
  Freedoms(const JudgedInstruction& judged, AcceptanceRule& rule);

  // What an element that is not exact comes to: by the rule itself, or else by the first freedom that admits it.
  ElementVerdict Judge(const Literal& want, const Literal& got, const Place& place);
  // The whole result: by the rule, or else by a freedom.
  void JudgeWhole(const Literal& want, const Literal& got, Judgement& judgement);
  // What is accepted besides, a freedom a line.
  std::vector<std::string> Explain(const Literal& want, const Place& place);

 private:
  bool IsOrderOpen(const Literal& want, const Place& place);
  // Whether a fold's order, or how often its initial value counts, explains an element (open_folds.h).
  bool IsOpenFold(const Literal& got, const Place& place);
  // By the other readings of the specification, if there are any.
  ElementVerdict JudgeOtherwise(const Literal& got, const Place& place);
  // The instruction evaluated by another reading.
  struct Otherwise {
    Otherwise(const JudgedInstruction& judged, EvaluateFunction body);
    Op op;
    HloInstruction instruction;
    JudgedInstruction judged;
    Result<Literal> want;
    std::unique_ptr<AcceptanceRule> rule;
  };
  // Those that can be evaluated.
  const std::vector<std::unique_ptr<Otherwise>>& OtherReadings();

  // An open freedom that judges.
  struct OpenFreedom {
    Freedom freedom;
    std::unique_ptr<FreedomJudge> judge;
  };

  const JudgedInstruction& judged_;
  AcceptanceRule& rule_;
  std::vector<OpenFreedom> open_;
  std::optional<Result<Literal>> opposite_;
  std::optional<std::vector<std::unique_ptr<Otherwise>>> otherwise_;
  std::unique_ptr<HloModule> fold_module_;
  std::optional<Result<ValueSet>> fold_;
  const Otherwise* is_otherwise_ = nullptr;  // the reading that some element is of
};

}  // namespace assay
