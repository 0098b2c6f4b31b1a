// What each rule of acceptance has to say: one source file a rule in rules/, chosen by what an op's record names.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/hlo/op.h"

namespace assay {

// The `result_accuracy` that an instruction asks for.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
  double ulps = 0;
};

// Which rule counts, with the numbers that the profile gives it.
struct RuleChoice {
  Acceptance acceptance = Acceptance::kExact;
  Allowance allowance;                 // Acceptance::kUlp
  std::optional<Tolerance> tolerance;  // takes the place of the allowance
  // Beyond these, and up to the allowance, nothing decides: result_accuracy={mode=highest} has no number.
  std::optional<Allowance> highest;
};

// The rule of the op's record under a profile. Ops that call a computation take the rule of what they call: a fold by
// one op that rounds is a sum or a product, a computation that never rounds is exact in every order. The instruction's
// own result_accuracy overrides the profile.
RuleChoice RuleOf(const HloInstruction& instruction, const Profile& profile);

// An instruction whose result is judged, with the operands that it had.
struct JudgedInstruction {
  const HloInstruction& instruction;
  std::span<const Literal> operands;
  const Profile& profile;
  RuleChoice rule;
};

// Whether each of the result's elements comes from one element of each operand: the one at its place, or the only one.
bool IsElementwise(const JudgedInstruction& judged, std::int64_t elements);

struct ElementVerdict {
  Verdict verdict = Verdict::kExact;
  std::string_view reason;
  double share = 0;  // of the allowance
};

class AcceptanceRule {
 public:
  virtual ~AcceptanceRule() = default;
  // An element, of a leaf each, that is not equal to the wanted one.
  virtual ElementVerdict Judge(const Literal& want, const Literal& got, const Place& place) = 0;
  // How the set of accepted values of an element follows, a step a line.
  virtual std::vector<std::string> Explain(const Literal& want, const Place& place) = 0;
  // Has the last word on a result that has elements that are not exact; `judgement` is what its elements came to.
  virtual void JudgeWhole(const Literal& want, const Literal& got, Judgement& judgement);
};

// `judged` must outlive the rule.
std::unique_ptr<AcceptanceRule> MakeRule(const JudgedInstruction& judged);

// One maker a rule; Acceptance::kTarget and kCalled stand for the rules that RuleOf finds behind them.
std::unique_ptr<AcceptanceRule> MakeExactRule(const JudgedInstruction& judged);
std::unique_ptr<AcceptanceRule> MakeUlpRule(const JudgedInstruction& judged);
std::unique_ptr<AcceptanceRule> MakeSumRule(const JudgedInstruction& judged);
std::unique_ptr<AcceptanceRule> MakeProductRule(const JudgedInstruction& judged);
std::unique_ptr<AcceptanceRule> MakeTransformRule(const JudgedInstruction& judged);
std::unique_ptr<AcceptanceRule> MakeUnorderedRule(const JudgedInstruction& judged);
std::unique_ptr<AcceptanceRule> MakeStatisticalRule(const JudgedInstruction& judged);
std::unique_ptr<AcceptanceRule> MakeUnspecifiedRule(const JudgedInstruction& judged);
std::unique_ptr<AcceptanceRule> MakeComposedRule(const JudgedInstruction& judged);
std::unique_ptr<AcceptanceRule> MakePropertiesRule(const JudgedInstruction& judged);
std::unique_ptr<AcceptanceRule> MakeDerivedRule(const JudgedInstruction& judged);

}  // namespace assay
