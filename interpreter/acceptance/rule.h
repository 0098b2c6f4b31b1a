// The rules of acceptance, and the choice of one for an instruction.
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

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/freedom.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/statistics/disturbance.h"
#include "interpreter/hlo/op.h"

namespace assay {

// The `result_accuracy` of an instruction.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
  double ulps = 0;
};

// The rule of an instruction, with its numbers from the profile.
struct RuleChoice {
  Acceptance acceptance = Acceptance::kExact;
  Allowance allowance;                 // Acceptance::kUlp
  std::optional<Tolerance> tolerance;  // replaces the allowance
  // For result_accuracy={mode=highest}, which names no number: errors between this and `allowance` are SPEC-GAP.
  std::optional<Allowance> highest;
};

// Returns the rule of the op's record under a profile. Ops that call a computation have the rule of what they call: a
// fold by one op that rounds is a sum or a product, and a computation that never rounds is exact in every order. The
// instruction's own result_accuracy overrides the profile.
RuleChoice RuleOf(const HloInstruction& instruction, const Profile& profile);
// True if the rule of an instruction allows another order of additions or multiplications. A call, a branch or a loop
// has none itself.
bool TakesAnOrder(const HloInstruction& instruction, const RuleChoice& rule);
// Returns the element type whose allowance counts for an instruction.
PrimitiveType JudgedType(const HloInstruction& instruction);
// Returns the op of two parameters that a computation applies. A computation of several arrays must apply the same op
// to each; that of a scan must return its carry as its output as well. Returns null for other computations.
const Op* FoldedOpOf(const HloComputation& computation);

// Returns the errors that the profile allows an instruction for its operand_precision; null if it allows none, the
// instruction names an algorithm, or its op has none.
const Profile::Precision* PrecisionOf(const HloInstruction& product, const Profile& profile);
// Returns these errors themselves, or those of the algorithm that the instruction names; zeros if there are none.
SumAlgorithm PrecisionErrorsOf(const HloInstruction& product, const Profile& profile);

// The source that opens each freedom for an op of the computations that an instruction calls, or for its own op; empty
// if the freedom is closed.
using FreedomSources = std::array<std::string_view, kFreedomCount>;
FreedomSources SourcesOf(const HloInstruction& instruction, const Profile& profile);
// Returns the liberties that the freedoms with a source permit.
LawfulArithmetic ArithmeticOf(std::span<const std::string_view> sources);

// An instruction whose result is judged, with its operands' values.
struct JudgedInstruction {
  const HloInstruction& instruction;
  std::span<const Literal> operands;
  const Profile& profile;
  RuleChoice rule;
  // Computed once, because they are queried for every element.
  FreedomSources sources = SourcesOf(instruction, profile);
  LawfulArithmetic arithmetic = ArithmeticOf(sources);

  std::string_view SourceOf(Freedom freedom) const { return sources[static_cast<std::size_t>(freedom)]; }
  bool Allows(Freedom freedom) const { return !SourceOf(freedom).empty(); }
};

// True if each of the result's elements comes from one element of each operand: the one at its place, or the only one.
bool IsElementwise(const JudgedInstruction& judged, std::int64_t elements);

struct ElementVerdict {
  Verdict verdict = Verdict::kExact;
  std::string_view reason;
  double share = 0;  // of the allowance
};

class AcceptanceRule {
 public:
  virtual ~AcceptanceRule() = default;
  // Judges one element that differs from the wanted one. `want` and `got` are the leaves that `place` names.
  virtual ElementVerdict Judge(const Literal& want, const Literal& got, const Place& place) = 0;
  // Derives the set of accepted values of an element, one step a line.
  virtual std::vector<std::string> Explain(const Literal& want, const Place& place) = 0;
  // True if the rule judges an element by its set, which has the values of all freedoms.
  virtual bool HasSet(const Place&) { return false; }
  // Returns the accepted values of part `part` of an element whose exact value is in `exact`; `want` is the leaf that
  // `place` names. Accepts every value unless the rule has a bound. After a first call, several threads may call it at
  // once; the same holds for NeverRounds and RoundsOnce.
  virtual Reals Widen(const Reals& exact, const Literal& want, const Place& place, int part);
  // Returns the one number that is lawful besides the wanted one, for an element whose operands are decided; nullopt if
  // there are others. Several threads may call it after a first call of Widen.
  virtual std::optional<double> OnlyOther(const Literal&, const Place&) { return std::nullopt; }
  // True if Widen of real numbers reads only `exact`.
  virtual bool WidensByExactAlone() const { return false; }
  // True if no step to an element's wanted value rounds, in any order of evaluation.
  virtual bool NeverRounds(const Literal&, const Place&) { return false; }
  // True if an element's wanted value is rounded once, whatever the order, and nothing may be flushed before.
  virtual bool RoundsOnce(const Literal&, const Place&) { return false; }
  // True if no element adds up more than one term that is not zero, and each term counts as it is.
  virtual bool AddsOneTermEach() { return false; }
  // Returns the sizes of the products that a real result adds up; null unless the rule knows them.
  virtual std::shared_ptr<const ProductSizes> Products(const Literal&) { return nullptr; }
  // May change the verdict of a whole result after its elements were judged. Called only if some are not exact.
  // `judgement` holds the judgement of the elements.
  virtual void JudgeWhole(const Literal& want, const Literal& got, Judgement& judgement);
};

// A rule: one constant in one file of rules/. No other code names it, except the list in meson.build.
struct Rule {
  std::string_view name;  // docs/verdicts.md defines it
  // For a rule that depends on the instruction or the profile: replaces the choice by another rule (`called` becomes
  // that of the called computation), or sets its numbers. Null: keeps the rule unchanged.
  void (*choose)(const HloInstruction&, const Profile&, RuleChoice&) = nullptr;
  // True if the rule allows another order of additions or multiplications. A profile that closes `reassociation` makes
  // it `exact`.
  bool takes_an_order = false;
  // The following are null for a rule that `choose` always replaces.
  // Makes the judge of a result; the instruction must outlive it.
  std::unique_ptr<AcceptanceRule> (*make)(const JudgedInstruction&) = nullptr;
  // Adds random legal errors for samples (statistics/samples/judge_by_samples.h).
  void (*disturb)(const JudgedInstruction&, Disturbance&, Literal& result) = nullptr;
  // The effect of lawful noise on a result: the name of a row in backends/lawful/noisy_results.cc.
  std::string_view noise = {};
};

#define ASSAY_RULE(name, enumerator) extern const Rule rule_##name;
#include "interpreter/acceptance/ops/rule_list.inc"
#undef ASSAY_RULE

// Returns all rules, in the order of the list.
std::span<const Rule* const> AllRules();
const Rule& RecordOf(Acceptance acceptance);
std::unique_ptr<AcceptanceRule> MakeRule(const JudgedInstruction& judged);
// Implements Rule::disturb for rules that allow no error, or whose trials do not show how large errors are.
void LeaveAlone(const JudgedInstruction&, Disturbance&, Literal& result);
// Implements Rule::disturb for sums, whose terms may cancel: the unit is the last place of the product of the operands'
// largest magnitudes.
void DisturbByTerms(const JudgedInstruction&, Disturbance&, Literal& result);
// Implements Rule::make for a judge class whose constructor takes the instruction, or nothing.
template <class Judge>
std::unique_ptr<AcceptanceRule> MakeJudge(const JudgedInstruction& judged) {
  if constexpr (std::is_default_constructible_v<Judge>) {
    return std::make_unique<Judge>();
  } else {
    return std::make_unique<Judge>(judged);
  }
}

}  // namespace assay
