// The judge of a case, element by element: the verdicts of `assay check` for results that nobody has computed.
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

// Returns the arrays of a value, in order.
std::vector<const Literal*> ArraysIn(const Literal& value);
std::vector<Literal*> MutableArraysIn(Literal& value);

// Judges results of one case.
class ResultJudge {
 public:
  // All arguments but the limits must outlive this.
  ResultJudge(const HloModule& module, const DeviceValues& arguments, const InstructionValues& reference,
              const Profile& profile, const EvaluationLimits& limits);

  // Returns the verdict of each element of each array, in the order in which CaseJudge combines rule and set.
  std::vector<Verdict> Judge(const Literal& got);
  // Returns the verdict of the whole result, by the judge of `assay check` with a backend that returns no values of
  // its own.
  Verdict JudgeWhole(const Literal& got) const;
  // True if a set was too wide, so that the backend's own intermediate values decide.
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
