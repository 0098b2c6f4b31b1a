// The judge of a case, element by element: the verdicts that `assay check` would give any result of the case.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "conformance/judging/instruction_values.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/acceptance/ops/value_set.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/module.h"

namespace assay {

// Return the arrays of a value, in order, through tuples.
std::vector<const Literal*> ArraysIn(const Literal& value);
std::vector<Literal*> MutableArraysIn(Literal& value);

// Judges results of one case.
class ResultJudge {
 public:
  // All arguments except the limits must outlive this object.
  ResultJudge(const HloModule& module, const DeviceValues& arguments, const InstructionValues& reference,
              const Profile& profile, const EvaluationLimits& limits);

  // Returns the verdict of each element of each array, in order. It combines rule and set as JudgeRun does.
  std::vector<Verdict> Judge(const Literal& got);
  // Returns the verdict of `assay check` on the whole result, for a backend that runs no parts of the module.
  Verdict JudgeWhole(const Literal& got) const;
  // True if Judge met an element whose set was too wide: intermediate values of the backend would have to decide.
  bool needs_own_values() const { return needs_own_values_; }

 private:
  std::vector<Verdict> JudgeBy(const std::function<void(const ElementObserver&)>& judge) const;
  const Result<ValueSet>& Set();

  const HloModule& module_;
  const DeviceValues& arguments_;
  const InstructionValues& reference_;
  const Profile& profile_;
  const EvaluationLimits limits_;
  const bool is_program_;
  std::map<std::vector<std::int64_t>, std::size_t> first_;  // the number of an array's first element
  std::size_t count_ = 0;
  std::optional<Result<ValueSet>> set_;
  bool needs_own_values_ = false;
};

}  // namespace assay
