// What a rule of acceptance is, and which one counts for an instruction.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "interpreter/acceptance/disturbance.h"
#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/freedom.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
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
  // That of result_accuracy={mode=highest}, which names no number: from here to `allowance` the verdict is SPEC-GAP.
  std::optional<Allowance> highest;
};

// The rule of the op's record under a profile. Ops that call a computation take the rule of what they call: a fold by
// one op that rounds is a sum or a product, a computation that never rounds is exact in every order. The instruction's
// own result_accuracy overrides the profile.
RuleChoice RuleOf(const HloInstruction& instruction, const Profile& profile);
// The element type whose allowance counts for an instruction.
PrimitiveType JudgedType(const HloInstruction& instruction);
// The one op of two parameters that a computation is: of several arrays, that of each of them; of a scan, that of its
// carry, which is its output as well. Null if it is anything else.
const Op* FoldedOpOf(const HloComputation& computation);

// What opens each freedom for an instruction's op, or for the one op that it folds by; empty where it is closed.
using FreedomSources = std::array<std::string_view, kFreedomCount>;
FreedomSources SourcesOf(const HloInstruction& instruction, const Profile& profile);
// The liberties that the freedoms with a source permit.
LawfulArithmetic ArithmeticOf(std::span<const std::string_view> sources);

// An instruction whose result is judged, with the operands that it had.
struct JudgedInstruction {
  const HloInstruction& instruction;
  std::span<const Literal> operands;
  const Profile& profile;
  RuleChoice rule;
  // Asked for with every element.
  FreedomSources sources = SourcesOf(instruction, profile);
  LawfulArithmetic arithmetic = ArithmeticOf(sources);

  std::string_view SourceOf(Freedom freedom) const { return sources[static_cast<std::size_t>(freedom)]; }
  bool Allows(Freedom freedom) const { return !SourceOf(freedom).empty(); }
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
  // The verdict of one element that differs from the wanted one. `want` and `got` are the leaves that `place` names.
  virtual ElementVerdict Judge(const Literal& want, const Literal& got, const Place& place) = 0;
  // How the set of accepted values of an element follows, a step a line.
  virtual std::vector<std::string> Explain(const Literal& want, const Place& place) = 0;
  // What is accepted for part `part` of an element whose exact value lies in `exact`; `want` is the leaf that `place`
  // names. Everything, unless the rule has a bound. After a first call, others may come from several threads at once;
  // the same holds for NeverRounds.
  virtual Reals Widen(const Reals& exact, const Literal& want, const Place& place, int part);
  // True if Widen of real numbers reads nothing but `exact`.
  virtual bool WidensByExactAlone() const { return false; }
  // Whether nothing is rounded on the way to an element's wanted value, in whatever order it is found.
  virtual bool NeverRounds(const Literal&, const Place&) { return false; }
  // May change the verdict of a whole result after its elements were judged; called only where some are not exact.
  // `judgement` holds what the elements came to.
  virtual void JudgeWhole(const Literal& want, const Literal& got, Judgement& judgement);
};

// A rule: one constant in one file of rules/, which nothing else names but the list in meson.build.
struct Rule {
  std::string_view name;  // docs/verdicts.md says what it means
  // For a rule that depends on the instruction or the profile: replaces the choice by another rule (`called` becomes
  // that of the called computation), or sets its numbers. Null: the rule stands as it is.
  void (*choose)(const HloInstruction&, const Profile&, RuleChoice&) = nullptr;
  // The rule allows another order of additions or multiplications. Where the profile closes `reassociation` it is
  // `exact`.
  bool takes_an_order = false;
  // The following are null for a rule that `choose` always replaces by another one.
  // The judge of a result; the instruction must outlive it.
  std::unique_ptr<AcceptanceRule> (*make)(const JudgedInstruction&) = nullptr;
  // Random legal errors for trials (trials.h).
  void (*disturb)(const JudgedInstruction&, Disturbance&, Literal& result) = nullptr;
  // What lawful noise does with a result: a row in backends/lawful/noisy_results.cc.
  std::string_view noise = {};
};

#define ASSAY_RULE(name, enumerator) extern const Rule rule_##name;
#include "interpreter/acceptance/ops/rule_list.inc"
#undef ASSAY_RULE

// In the order of the list.
std::span<const Rule* const> AllRules();
const Rule& RecordOf(Acceptance acceptance);
std::unique_ptr<AcceptanceRule> MakeRule(const JudgedInstruction& judged);
// Rule::disturb where no error is legal, or where the trials say nothing about how large errors are.
void LeaveAlone(const JudgedInstruction&, Disturbance&, Literal& result);
// Rule::disturb for sums, whose terms may cancel: the unit is the last place of the product of the operands' largest
// magnitudes.
void DisturbByTerms(const JudgedInstruction&, Disturbance&, Literal& result);
// Rule::make for a judge class whose constructor takes the instruction, or nothing.
template <class Judge>
std::unique_ptr<AcceptanceRule> MakeJudge(const JudgedInstruction& judged) {
  if constexpr (std::is_default_constructible_v<Judge>) {
    return std::make_unique<Judge>();
  } else {
    return std::make_unique<Judge>(judged);
  }
}

}  // namespace assay
