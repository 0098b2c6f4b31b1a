// Evaluates one instruction, or its set, on the operands that the judge has.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "interpreter/acceptance/profile.h"
#include "interpreter/acceptance/sets/program_sets.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/literal.h"

namespace assay {

// Evaluates an instruction, with other element types if `retype` is given, and a `result` of another one. `operands`
// holds the lists of all devices, one after the other, as for JudgeInstruction. Returns nullopt if there is no value,
// as for bits in other types. Throws the error of a limit (unless_limited.h).
std::optional<Literal> EvaluateAlone(const HloInstruction& instruction, std::vector<Literal> operands,
                                     const OpOverrides& overrides = {},
                                     const std::function<PrimitiveType(PrimitiveType)>& retype = {},
                                     std::optional<PrimitiveType> result = {});
// Does the same with another body of the instruction's op.
std::optional<Literal> EvaluateBy(EvaluateFunction body, const HloInstruction& instruction,
                                  std::span<const Literal> operands);

// The set of an instruction alone, which is found at the first query. All arguments must outlive it.
class SetAlone {
 public:
  SetAlone(const HloInstruction& instruction, std::span<const Literal> operands, const Profile& profile)
      : instruction_(instruction), operands_(operands), profile_(profile) {}

  // Returns the set of an array of the result; null if the instruction has none.
  const ValueSet* At(const Place& place);

 private:
  const HloInstruction& instruction_;
  const std::span<const Literal> operands_;
  const Profile& profile_;
  std::unique_ptr<HloModule> module_;
  std::optional<Result<ValueSet>> set_;
};

}  // namespace assay
